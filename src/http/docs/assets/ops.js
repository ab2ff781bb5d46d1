// Reads the page of operators again every few seconds, and shows what has changed.

const EVERY_MS = 5_000;
const main = document.querySelector('main');
const state = document.querySelector('.ops-state');

async function refresh() {
  if (document.hidden) return;
  try {
    const response = await fetch(location.href, { signal: AbortSignal.timeout(EVERY_MS * 2) });
    if (!response.ok) throw new Error(String(response.status));
    const read = new DOMParser().parseFromString(await response.text(), 'text/html');
    const content = read.querySelector('.ops-content');
    const shown = main.querySelector('.ops-content');
    if (content.innerHTML !== shown.innerHTML) shown.replaceWith(content);
    main.querySelector('.ops-time').replaceWith(read.querySelector('.ops-time'));
    state.textContent = '';
  } catch {
    state.textContent = 'The service does not respond. This is what it said last.';
  }
}

async function keepRefreshing() {
  await refresh();
  setTimeout(keepRefreshing, EVERY_MS);
}

setTimeout(keepRefreshing, EVERY_MS);
document.addEventListener('visibilitychange', refresh);
