// What every page does besides being read: navigation on a small screen, copying, tabs, where one is.

const root = document.documentElement;

const menu = document.querySelector('.menu-button');
const navigation = document.querySelector('#navigation');
function showNavigation(isShown) {
  menu.setAttribute('aria-expanded', String(isShown));
  root.classList.toggle('navigating', isShown);
}
menu.addEventListener('click', () => showNavigation(menu.getAttribute('aria-expanded') !== 'true'));
navigation.addEventListener('click', event => {
  if (event.target.closest('a')) showNavigation(false);
});
const current = navigation.querySelector('[aria-current]');
if (current) navigation.scrollTop = current.offsetTop - navigation.clientHeight / 3;

const keyMenu = document.querySelector('.key-menu');
document.addEventListener('click', event => {
  if (!keyMenu.contains(event.target)) keyMenu.open = false;
});
document.addEventListener('keydown', event => {
  if (event.key !== 'Escape') return;
  keyMenu.open = false;
  showNavigation(false);
});

for (const button of document.querySelectorAll('button.copy')) {
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(button.closest('.code').querySelector('code').textContent);
    button.textContent = 'Copied';
    setTimeout(() => {
      button.textContent = 'Copy';
    }, 1500);
  });
}

/** Makes the sections of a group the panels of tabs. */
function makeTabs(group) {
  const panels = [...group.querySelectorAll(':scope > .tab')];
  const list = document.createElement('div');
  list.className = 'tab-list';
  list.setAttribute('role', 'tablist');
  const tabs = panels.map(panel => {
    const heading = panel.querySelector('h3');
    const tab = document.createElement('button');
    tab.type = 'button';
    tab.id = `tab-${heading.id}`;
    tab.setAttribute('role', 'tab');
    tab.setAttribute('aria-controls', `panel-${heading.id}`);
    tab.textContent = heading.firstChild.textContent;
    panel.id = `panel-${heading.id}`;
    panel.setAttribute('role', 'tabpanel');
    panel.setAttribute('aria-labelledby', tab.id);
    heading.classList.add('sr');
    tab.addEventListener('click', () => {
      select(panel);
      localStorage.setItem('tab', tab.textContent);
    });
    list.append(tab);
    return tab;
  });
  function select(chosen) {
    for (const [i, panel] of panels.entries()) {
      panel.hidden = panel !== chosen;
      tabs[i].setAttribute('aria-selected', String(panel === chosen));
      tabs[i].tabIndex = panel === chosen ? 0 : -1;
    }
  }
  list.addEventListener('keydown', event => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    const next = tabs[(tabs.indexOf(document.activeElement) + step + tabs.length) % tabs.length];
    next.focus();
    next.click();
  });
  /** A link may lead to the heading of a tab. */
  function selectLinked() {
    const linked = panels.find(panel => `#${panel.querySelector('h3').id}` === location.hash);
    if (!linked) return false;
    select(linked);
    list.scrollIntoView();
    return true;
  }
  addEventListener('hashchange', selectLinked);
  group.prepend(list);
  const remembered = tabs.findIndex(tab => tab.textContent === localStorage.getItem('tab'));
  if (!selectLinked()) select(panels[Math.max(remembered, 0)]);
}
for (const group of document.querySelectorAll('.tabs')) makeTabs(group);

/** Marks in the table of contents which section is being read. */
function followSections(contents) {
  const links = [...contents.querySelectorAll('a')];
  const headings = links.map(link => document.getElementById(decodeURIComponent(link.hash.slice(1))));
  const mark = () => {
    const read = headings.findLastIndex(heading => heading.getBoundingClientRect().top < 120);
    for (const [i, link] of links.entries()) {
      if (i === Math.max(read, 0)) link.setAttribute('aria-current', 'location');
      else link.removeAttribute('aria-current');
    }
  };
  addEventListener('scroll', () => requestAnimationFrame(mark), { passive: true });
  mark();
}
const contents = document.querySelector('.toc');
if (contents) followSections(contents);
