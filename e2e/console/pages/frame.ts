import type { Locator, Page } from 'playwright-core'

/** What stands around every screen: navigation, messages, dialogs, menus. */
export interface Frame {
  readonly navigation: Locator
  readonly messages: Locator
  readonly dialog: Locator
  readonly question: Locator
  /** Opens a menu by its button and chooses. */
  choose(button: Locator, item: string | RegExp): Promise<void>
  /** Chooses in a `Select`. */
  select(control: Locator, option: string | RegExp): Promise<void>
  /** Waits for a message at the bottom of the page. */
  message(text: string | RegExp): Promise<Locator>
  logOut(): Promise<void>
}

export const frameOf = (page: Page): Frame => {
  const messages = page.getByRole('region', { name: 'Messages' })
  const choose = async (button: Locator, item: string | RegExp): Promise<void> => {
    await button.click()
    await page
      .getByRole('menuitem', { name: item })
      .or(page.getByRole('menuitemradio', { name: item }))
      .first()
      .click()
  }
  return {
    navigation: page.getByRole('navigation', { name: 'Main' }),
    messages,
    dialog: page.getByRole('dialog'),
    question: page.getByRole('alertdialog'),
    choose,
    select: async (control, option) => {
      await control.click()
      await page.getByRole('option', { name: option }).first().click()
    },
    message: async (text) => {
      const message = messages.getByText(text).first()
      await message.waitFor()
      return message
    },
    logOut: async () => {
      await choose(page.getByRole('button', { name: /^Account of/ }), 'Log out')
      await page.getByRole('heading', { name: 'Log in' }).waitFor()
    },
  }
}
