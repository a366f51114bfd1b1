import type { Locator, Page } from 'playwright-core'

/** The page of one issue. */
export interface IssuePage {
  readonly heading: Locator
  readonly bar: Locator
  readonly about: Locator
  panel(title: string): Locator
  part(title: string): Locator
  open(id: string, search?: string): Promise<void>
}

export const issuePageOf = (page: Page, organization: string, origin: string): IssuePage => {
  const about = page.getByRole('complementary', { name: 'About the issue' })
  const bar = page.getByRole('region', { name: 'Event', exact: true })
  return {
    heading: page.getByRole('heading', { level: 1 }),
    bar,
    about,
    panel: (title) => page.locator('section').filter({ has: page.getByRole('heading', { level: 2, name: title }) }),
    part: (title) => about.getByRole('region', { name: title }),
    open: async (id, search = '') => {
      await page.goto(`${origin}/organizations/${organization}/issues/${id}${search}`)
      await bar.waitFor()
    },
  }
}
