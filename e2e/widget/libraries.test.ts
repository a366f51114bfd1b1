import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openPage } from '../lib/browser.ts'
import { eventually } from '../lib/eventually.ts'
import { closePages, joinBrowser } from '../lib/shared.ts'
import { serveSite } from '../lib/site.ts'
import { partsOf } from './dialog-site.ts'

/** The React that the libraries have; this workspace has an older one beside it. */
const ofRoot = createRequire(join(import.meta.dirname, '..', '..', 'package.json')).resolve

const WIDGET = `
  import { createFeedback } from '@firsthand/feedback'
  createFeedback({ dsn: location.origin.replace('//', '//0123456789abcdef0123456789abcdef@') + '/1', enableScreenshot: false })
`
const BOX = `{ position: 'fixed', top: 40, left: 40, background: '#fff', padding: 20 }`

/** @param dialog what stands in the application: it has `open`, `setOpen` and `h` */
const react = (imports: string, dialog: string): string => `
  import { createElement as h, useState } from ${JSON.stringify(ofRoot('react'))}
  import { createRoot } from ${JSON.stringify(ofRoot('react-dom/client'))}
  ${imports}
  ${WIDGET}
  const App = () => {
    const [open, setOpen] = useState(false)
    return h('main', null, h('button', { id: 'open', onClick: () => setOpen(true) }, 'Edit profile'), ${dialog})
  }
  createRoot(document.getElementById('root')).render(h(App))
`

/** Pages whose own modal dialog is one of a library's, with its focus trap and its "click outside". */
const APPLICATIONS: Readonly<Record<string, string>> = {
  'a native dialog': `${WIDGET}
    document.getElementById('root').innerHTML = '<button id="open">Edit profile</button><dialog id="theirs"><input id="field"></dialog>'
    document.getElementById('open').onclick = () => document.getElementById('theirs').showModal()`,
  Radix: react(
    `import * as Dialog from '@radix-ui/react-dialog'`,
    `h(Dialog.Root, { open, onOpenChange: setOpen }, h(Dialog.Portal, null,
      h(Dialog.Overlay, { style: { position: 'fixed', inset: 0, background: 'rgb(0 0 0 / 0.4)' } }),
      h(Dialog.Content, { id: 'theirs', 'aria-describedby': undefined, style: ${BOX} }, h(Dialog.Title, null, 'Profile'), h('input', { id: 'field' }))))`,
  ),
  'Headless UI': react(
    `import { Dialog, DialogBackdrop, DialogPanel, DialogTitle } from '@headlessui/react'`,
    `h(Dialog, { open, onClose: setOpen }, h(DialogBackdrop, { style: { position: 'fixed', inset: 0, background: 'rgb(0 0 0 / 0.4)' } }),
      h(DialogPanel, { id: 'theirs', style: ${BOX} }, h(DialogTitle, null, 'Profile'), h('input', { id: 'field' })))`,
  ),
  MUI: react(
    `import Dialog from '@mui/material/Dialog'`,
    `h(Dialog, { open, onClose: () => setOpen(false), transitionDuration: 0, slotProps: { paper: { id: 'theirs' } } }, h('input', { id: 'field' }))`,
  ),
  'React Aria': react(
    `import { Dialog, Heading, Modal, ModalOverlay } from 'react-aria-components'`,
    `h(ModalOverlay, { isOpen: open, onOpenChange: setOpen, isDismissable: true, style: { position: 'fixed', inset: 0, background: 'rgb(0 0 0 / 0.4)' } },
      h(Modal, { style: ${BOX} }, h(Dialog, { id: 'theirs' }, h(Heading, { slot: 'title' }, 'Profile'), h('input', { id: 'field' }))))`,
  ),
  'focus-trap': `
    import { createFocusTrap } from 'focus-trap'
    ${WIDGET}
    document.getElementById('root').innerHTML = '<button id="open">Edit profile</button><section id="theirs" role="dialog" aria-modal="true" aria-label="Profile" tabindex="-1" hidden><input id="field"></section>'
    const theirs = document.getElementById('theirs')
    const trap = createFocusTrap(theirs, { onDeactivate: () => { theirs.hidden = true } })
    document.getElementById('open').onclick = () => { theirs.hidden = false; trap.activate() }`,
}

describe('beside the dialog of a library', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await joinBrowser()
  })
  afterAll(() => closePages(browser))

  it.each(Object.keys(APPLICATIONS))(
    'widget 53: %s is open: the form is typed into and sent, nothing is dismissed, the focus goes back',
    async (name) => {
      const site = await serveSite(APPLICATIONS[name] ?? '', '<div id="root"></div>')
      const { page, complaints, close } = await openPage(browser)
      try {
        const reports: string[] = []
        await page.route('**/envelope/**', async (route) => {
          reports.push(route.request().postData() ?? '')
          await route.fulfill({ body: '{}' })
        })
        await page.goto(site.url)
        const { trigger, dialog, message, email, send, banner } = partsOf(page)
        const theirs = page.locator('#theirs')
        await page.click('#open')
        await page.locator('#field').focus()
        await trigger.click()
        await message.click()
        await page.keyboard.type('typed beside a focus trap')
        await eventually(() => message.inputValue()).toBe('typed beside a focus trap')
        // Nothing takes the focus away while it goes through the form.
        await email.click()
        await page.keyboard.type('me@shop.example')
        await page.keyboard.press('Tab')
        await page.keyboard.type(', and goes on')
        await eventually(() => message.inputValue()).toContain('and goes on')
        await eventually(() => theirs.isVisible()).toBe(true)
        await page.keyboard.press('Escape')
        await dialog.waitFor({ state: 'hidden' })
        await eventually(() => theirs.isVisible()).toBe(true)
        await eventually(() =>
          page.evaluate(() => {
            const at = document.activeElement
            return at?.closest('#theirs') === null ? at.localName : 'theirs'
          }),
        ).toMatch(/^(theirs|firsthand-feedback)$/)

        await trigger.click()
        await message.waitFor()
        await send.click()
        await banner.waitFor()
        expect(reports).toHaveLength(1)
        await eventually(() => theirs.isVisible()).toBe(true)
        await page.locator('#field').click()
        await page.keyboard.type('theirs works, too')
        await eventually(() => page.locator('#field').inputValue()).toBe('theirs works, too')
        await page.keyboard.press('Escape')
        await eventually(() => theirs.isVisible()).toBe(false)
        expect(complaints.list).toEqual([])
      } finally {
        await close()
        await site.close()
      }
    },
  )
})
