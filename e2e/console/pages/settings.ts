import type { Locator, Page } from 'playwright-core'

/** The settings of an organisation, of a project, of a person. */
export interface Settings {
  open(part: string): Promise<void>
  /** A row of a list: a key, a member, a token. */
  row(text: string | RegExp): Locator
  /** A form or a part of the page by its heading. */
  panel(title: string): Locator
  /** The text that a dialog shows only once: a link, a token. */
  secret: Locator
}

export const settingsOf = (page: Page, organization: string, origin: string): Settings => ({
  open: async (part) => {
    await page.goto(`${origin}/organizations/${organization}/settings/${part}`)
    await page.getByRole('navigation', { name: 'Settings' }).waitFor()
    await page.getByRole('heading', { level: 1 }).waitFor()
  },
  row: (text) => page.getByRole('main').getByRole('listitem').filter({ hasText: text }),
  panel: (title) =>
    page.locator('section').filter({ has: page.getByRole('heading', { level: 2, name: title, exact: true }) }),
  secret: page.getByRole('dialog').locator('code').last(),
})
