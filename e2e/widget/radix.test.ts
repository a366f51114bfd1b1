import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launchBrowser, openPage } from '../lib/browser.ts'
import { serveSite } from '../lib/site.ts'
import { partsOf } from './dialog-site.ts'

/** The React that the library has; this workspace has an older one beside it. */
const ofRoot = createRequire(join(import.meta.dirname, '..', '..', 'package.json')).resolve

/** A page whose own modal dialog is one of a library's, with its focus trap and its "click outside". */
const APPLICATION = `
  import { createElement as h, useState } from ${JSON.stringify(ofRoot('react'))}
  import { createRoot } from ${JSON.stringify(ofRoot('react-dom/client'))}
  import * as Dialog from '@radix-ui/react-dialog'
  import { createFeedback } from '@firsthand/feedback'
  const App = () => {
    const [open, setOpen] = useState(false)
    return h(Dialog.Root, { open, onOpenChange: setOpen },
      h(Dialog.Trigger, { id: 'open' }, 'Edit profile'),
      h(Dialog.Portal, null,
        h(Dialog.Overlay, { style: { position: 'fixed', inset: 0, background: 'rgb(0 0 0 / 0.4)' } }),
        h(Dialog.Content, { id: 'theirs', 'aria-describedby': undefined, style: { position: 'fixed', top: 40, left: 40, background: '#fff', padding: 20 } },
          h(Dialog.Title, null, 'Profile'),
          h('input', { id: 'field' }),
          h(Dialog.Close, null, 'Close'))))
  }
  createRoot(document.getElementById('root')).render(h(App))
  createFeedback({ dsn: location.origin.replace('//', '//0123456789abcdef0123456789abcdef@') + '/1', enableScreenshot: false })
`

describe('beside the dialog of a library', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await launchBrowser()
  })
  afterAll(() => browser.close())

  it('widget 53: a Radix dialog is open: the form is typed into, nothing is dismissed, the focus goes back', async () => {
    const site = await serveSite(APPLICATION, '<div id="root"></div>')
    const { page, close } = await openPage(browser)
    await page.goto(site.url)
    const { trigger, dialog, message } = partsOf(page)
    await page.click('#open')
    await page.locator('#field').focus()
    await trigger.click()
    await message.click()
    await page.keyboard.type('typed beside a focus trap')
    expect(await message.inputValue()).toBe('typed beside a focus trap')
    expect(await page.locator('#theirs').isVisible()).toBe(true)
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'hidden' })
    expect(await page.locator('#theirs').isVisible()).toBe(true)
    const place = await page.evaluate(() => {
      const at = document.activeElement
      return at?.closest('#theirs') === null ? (at.localName ?? '') : 'theirs'
    })
    expect(['theirs', 'firsthand-feedback']).toContain(place)
    await page.locator('#field').fill('theirs works, too')
    await page.keyboard.press('Escape')
    await page.locator('#theirs').waitFor({ state: 'detached' })
    await close()
    await site.close()
  })
})
