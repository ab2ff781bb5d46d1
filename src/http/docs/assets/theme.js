// Runs before the page is shown, so that it does not change its colours before the reader's eyes.
(() => {
  const root = document.documentElement;
  root.classList.add('js');
  const chosen = localStorage.getItem('theme');
  if (chosen === 'light' || chosen === 'dark') root.dataset.theme = chosen;
})();
