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
  /** As `message`, and the message stays: with the pointer on it its time does not run, so that "Undo" can be pressed later. */
  heldMessage(text: string | RegExp): Promise<Locator>
  /**
   * Whether the page hears of what happens from now on; to be asked for before the page is opened, and awaited before
   * something happens that it shall show.
   */
  live(): Promise<unknown>
  /** Keys that come before the page has done anything about the first of them. */
  pressAtOnce(...keys: readonly string[]): Promise<void>
  logOut(): Promise<void>
}

/**
 * Waits until a list that opens has come to rest. Playwright scrolls the page to press what moves, and the list follows
 * its button: on a busy machine between the two halves of the press, which then hits nothing.
 */
const standsStill = (item: Locator): Promise<unknown> =>
  item.evaluate((element) =>
    Promise.all(
      (element.closest('[role=menu], [role=listbox]')?.getAnimations() ?? []).map((animation) =>
        // One that is replaced by another ends with an error, and is over as well.
        animation.finished.catch(() => null),
      ),
    ),
  )

export const frameOf = (page: Page): Frame => {
  const messages = page.getByRole('region', { name: 'Messages' })
  const message = async (text: string | RegExp): Promise<Locator> => {
    const found = messages.getByText(text).first()
    await found.waitFor()
    return found
  }
  const choose = async (button: Locator, item: string | RegExp): Promise<void> => {
    await button.click()
    const found = page
      .getByRole('menuitem', { name: item })
      .or(page.getByRole('menuitemradio', { name: item }))
      .first()
    await standsStill(found)
    await found.click()
  }
  return {
    navigation: page.getByRole('navigation', { name: 'Main' }),
    messages,
    dialog: page.getByRole('dialog'),
    question: page.getByRole('alertdialog'),
    choose,
    select: async (control, option) => {
      await control.click()
      const found = page.getByRole('option', { name: option }).first()
      await standsStill(found)
      await found.click()
    },
    message,
    heldMessage: async (text) => {
      const found = await message(text)
      await found.hover()
      return found
    },
    live: () => page.waitForResponse((response) => response.url().endsWith('/live/') && response.ok()),
    pressAtOnce: (...keys) =>
      page.evaluate((pressed) => {
        for (const key of pressed) document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }))
      }, keys),
    logOut: async () => {
      await choose(page.getByRole('button', { name: /^Account of/ }), 'Log out')
      await page.getByRole('heading', { name: 'Log in' }).waitFor()
    },
  }
}
