// The colours of a page. Runs before it is shown, so that it does not change its colours before the reader's eyes.
(() => {
  const root = document.documentElement;
  root.classList.add('js');
  const chosen = localStorage.getItem('theme');
  if (chosen === 'light' || chosen === 'dark') root.dataset.theme = chosen;

  const system = matchMedia('(prefers-color-scheme: dark)');
  const isDark = () => (root.dataset.theme ? root.dataset.theme === 'dark' : system.matches);
  const announce = () => document.dispatchEvent(new CustomEvent('theme', { detail: isDark() ? 'dark' : 'light' }));
  document.addEventListener('click', ({ target }) => {
    if (!target.closest('.theme-button')) return;
    root.dataset.theme = isDark() ? 'light' : 'dark';
    localStorage.setItem('theme', root.dataset.theme);
    announce();
  });
  system.addEventListener('change', announce);
})();
