import type { InfiniteData } from '@tanstack/react-query'

/**
 * The first page of a list, as a route's loader asks for it under the list's own key: in the shape in which the list keeps
 * its pages. Once the list was on screen, its query puts what is fetched into that shape by itself; then it is the page.
 *
 * @param context what the query function was given
 */
export const firstPage = <Page>(context: object, page: Page): InfiniteData<Page, string | null> =>
  'pageParam' in context
    ? // The query makes it of the page.
      (page as unknown as InfiniteData<Page, string | null>)
    : { pages: [page], pageParams: [null] }
