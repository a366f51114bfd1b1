import type { Locator, Page } from 'playwright-core'

/** The issue stream. */
export interface Stream {
  readonly table: Locator
  readonly rows: Locator
  readonly searchBar: Locator
  readonly bulk: Locator
  row(text: string | RegExp): Locator
  /** Leads of the titles, from the top. */
  titles(): Promise<string[]>
  open(query?: string): Promise<void>
  search(query: string): Promise<void>
  select(text: string): Promise<void>
}

export const streamOf = (page: Page, organization: string, origin: string): Stream => {
  const table = page.getByRole('table', { name: 'Issues' })
  const rows = table.locator('[data-issue]')
  const searchBar = page.getByRole('combobox', { name: 'Search issues' })
  const row = (text: string | RegExp): Locator => rows.filter({ hasText: text })
  return {
    table,
    rows,
    searchBar,
    bulk: page.getByRole('toolbar', { name: 'Change selected issues' }),
    row,
    titles: () => rows.getByRole('link').allTextContents(),
    open: async (query) => {
      await page.goto(
        `${origin}/organizations/${organization}/issues${query === undefined ? '' : `?query=${encodeURIComponent(query)}`}`,
      )
      await table.waitFor()
    },
    search: async (query) => {
      await searchBar.fill(query)
      await searchBar.press('Enter')
      await page.waitForURL((url) => (url.searchParams.get('query') ?? 'is:unresolved') === query)
    },
    select: async (text) => {
      await row(text).getByRole('checkbox').click()
    },
  }
}
