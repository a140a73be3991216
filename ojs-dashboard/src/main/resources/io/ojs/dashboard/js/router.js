// Where a page is: its name and parameters are the URL's, one level below …/ojs/ui/.

import { PAGES, query } from './api.js';

/** The page of a URL. */
export function placeOf(url) {
  const { pathname, searchParams } = new URL(url, PAGES);
  return { name: pathname.startsWith(PAGES.pathname) ? pathname.slice(PAGES.pathname.length) : '', params: searchParams };
}

/** The URL of a page, relative to the others. */
export function hrefOf(name, params) {
  const search = query(params).toString();
  return (name || './') + (search ? `?${search}` : '');
}

/** Calls back instead of loading anew, for links to pages. */
export function followLinks(root, onPlace) {
  root.addEventListener('click', (event) => {
    const link = event.target instanceof Element ? event.target.closest('a[href]') : null;
    if (!link || event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey
      || event.altKey || link.target || link.hasAttribute('download')) {
      return;
    }
    const url = new URL(link.href);
    const isPage = url.origin === PAGES.origin && url.pathname.startsWith(PAGES.pathname)
      && !url.pathname.slice(PAGES.pathname.length).includes('/');
    if (isPage && !(url.hash && url.pathname === location.pathname && url.search === location.search)) {
      event.preventDefault();
      onPlace(url);
    }
  });
  addEventListener('popstate', () => onPlace(null));
}
