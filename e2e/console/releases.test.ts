import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { originOf, type SignedIn, signIn } from '../lib/account.ts'
import { apiOf } from '../lib/api.ts'
import { openPage } from '../lib/browser.ts'
import { type CallAs, withColleague } from '../lib/colleague.ts'
import { eventually } from '../lib/eventually.ts'
import { errorEvent, sendEvent } from '../lib/send.ts'
import { closePages, joinBrowser, joinServer, type SharedServer } from '../lib/shared.ts'
import { bundleOf, uploaderOf } from '../lib/uploads.ts'
import { frameOf } from './pages/frame.ts'

const ORGANIZATION = 'shipped'
const ORG = `/organizations/${ORGANIZATION}`
const AGED = 'shop-web@2026.10.1'
const BEFORE = 'shop-web@2026.11.1'
const NOW = 'shop-web@2026.11.2'

const MAP = JSON.stringify({ version: 3, sources: ['a.ts'], sourcesContent: ['a'], names: [], mappings: 'AAAA' })
const FILES = bundleOf([
  { url: '~/app.js', type: 'minified_source', content: 'a', headers: { sourcemap: 'app.js.map' } },
  { url: '~/app.js.map', type: 'source_map', content: MAP },
  { url: '~/log-in.js.map', type: 'source_map', content: '<html>Log in first</html>' },
])

describe('releases', () => {
  let server: SharedServer
  let browser: Browser
  let signedIn: SignedIn
  let origin: string
  let ann: CallAs

  beforeAll(async () => {
    ;[server, browser] = await Promise.all([joinServer(ORGANIZATION), joinBrowser()])
    origin = originOf(server)
    ;({ owner: ann } = await withColleague(server, 'Ben Ito'))
    const { dsn, project } = server.account
    const api = apiOf(server)
    const sent = async (type: string, release: string): Promise<string> => {
      await sendEvent(dsn, errorEvent(type, 'It is undefined', { release, platform: 'javascript' }))
      return (await api.issue(type)).id
    }
    const resolved = { status: 'resolved', statusDetails: { inRelease: NOW } }
    for (const type of ['BasketError', 'PriceError']) {
      await ann('PUT', `${ORG}/issues/${await sent(type, BEFORE)}/`, resolved)
    }
    await ann('PUT', `${ORG}/issues/${await sent('AgedError', AGED)}/`, { status: 'resolved' })
    await sent('LampError', NOW)
    await sent('BasketError', NOW)
    await api.issue('LampError')
    await ann('POST', `${ORG}/repos/`, { name: 'acme/shop', url: 'https://github.com/acme/shop' })
    await ann('POST', `${ORG}/releases/`, {
      version: NOW,
      projects: [project],
      commits: [
        {
          id: '0123456789abcdef0123456789abcdef01234567',
          message: 'Read vouchers lazily\n',
          author_name: 'Ben Ito',
          repository: 'origin',
          patch_set: [{ path: 'web/src/main.js', type: 'M' }],
        },
      ],
    })
    await ann('POST', `${ORG}/releases/${encodeURIComponent(NOW)}/deploys/`, { environment: 'production' })
    await ann('POST', `${ORG}/releases/${encodeURIComponent(NOW)}/deploys/`, { environment: 'staging' })
    await ann('POST', `${ORG}/releases/`, { version: 'shop-web@2027.1.0', projects: [project] })
    signedIn = await signIn(server)
  })
  afterAll(() => closePages(browser))

  it('L83, L84, L85: a release is found by keys, and says what began, came back and is resolved in it', async () => {
    const { page, complaints, close } = await openPage(browser, signedIn)
    await page.goto(`${origin}${ORG}/issues`)
    await page.getByRole('heading', { name: 'Issues' }).waitFor()
    await page.keyboard.press('g')
    await page.keyboard.press('d')
    const rows = page.getByRole('table', { name: 'Releases' }).getByRole('row')
    await eventually(() => rows.count()).toBe(5)
    await page.keyboard.press('/')
    await page.keyboard.type('11.2')
    await eventually(() => rows.count()).toBe(2)
    expect(await rows.nth(1).textContent()).toMatch(
      /2026\.11\.2.*staging since.*production since.*1 new issue.*1 came back.*1 commit/,
    )
    await page.keyboard.press('Escape')
    await page.keyboard.press('j')
    await page.keyboard.press('o')

    await page.getByText('1 issue is new in it, 1 came back; 1 is resolved.').waitFor()
    const issues = page.getByRole('table', { name: 'Issues of this release' })
    await issues.getByRole('link', { name: /^LampError/ }).waitFor()
    await page.getByRole('tab', { name: 'Came back 1' }).click()
    // The other event of it was in the release before.
    await issues.getByRole('link', { name: /^BasketError/ }).waitFor()
    expect(await issues.getByRole('row').nth(1).textContent()).toMatch(/^BasketError.*Regressed1 event1 user/)
    await page.getByRole('tab', { name: 'Resolved 1' }).click()
    await issues.getByRole('link', { name: /^PriceError/ }).waitFor()
    expect(new URL(page.url()).search).toBe('?show=resolved')
    await page.getByRole('region', { name: '1 commit by one person' }).getByText('Read vouchers lazily').waitFor()

    await page.keyboard.press('v')
    await page.getByRole('heading', { name: 'Issues' }).waitFor()
    await page
      .getByRole('link', { name: /LampError/ })
      .first()
      .waitFor()
    await page
      .getByRole('link', { name: /BasketError/ })
      .first()
      .waitFor()
    expect(await page.getByRole('link', { name: /PriceError/ }).count()).toBe(0)

    await page
      .getByRole('link', { name: /LampError/ })
      .first()
      .click()
    // Whose commit may be behind it, and what it changed.
    const suspect = page.getByRole('complementary', { name: 'About the issue' }).getByRole('listitem')
    const line = suspect.getByRole('link', { name: 'web/src/main.js:7' })
    expect(await line.getAttribute('href')).toBe(
      'https://github.com/acme/shop/blob/0123456789abcdef0123456789abcdef01234567/web/src/main.js#L7',
    )
    expect(await suspect.filter({ hasText: 'web/src/main.js:7' }).textContent()).toMatch(
      /Read vouchers lazily 0123456Ben Ito changed/,
    )
    await page.getByRole('link', { name: '2026.11.2' }).first().click()
    await page.getByText('1 issue is new in it').waitFor()
    expect(complaints.list).toEqual([])
    await close()
  })

  it('L85: a frame leads to its line in the repository once it is said which files are there', async () => {
    const { page, complaints, close } = await openPage(browser, signedIn)
    const frame = frameOf(page)
    await page.goto(`${origin}${ORG}/settings/repositories`)
    await page.getByRole('list', { name: 'Repositories' }).getByText('acme/shop', { exact: true }).waitFor()
    await page.goto(`${origin}${ORG}/settings/projects/${server.account.project}?tab=source-code`)
    await page.getByRole('button', { name: 'Add a mapping' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add a code mapping' })
    await dialog.getByLabel('In stack traces files begin with').fill('src/')
    await dialog.getByLabel('In the repository they begin with').fill('web/src/')
    await dialog.getByRole('button', { name: 'Add' }).click()
    await frame.message('Code mapping added')
    const mappings = page.getByRole('list', { name: 'Code mappings' })
    await mappings.getByText('src/ → web/src/').waitFor()
    await mappings.getByRole('button', { name: /^Delete/ }).click()
    await frame.message('Code mapping deleted')
    await page.getByText('No code mappings yet').waitFor()
    await page.keyboard.press('z')
    await mappings.getByText('src/ → web/src/').waitFor()

    const { id } = await apiOf(server).issue('LampError')
    await page.goto(`${origin}${ORG}/issues/${id}/`)
    const link = page.getByRole('link', { name: /^Open in repository: .*main\.js/ }).first()
    expect(await link.getAttribute('href')).toBe(
      'https://github.com/acme/shop/blob/0123456789abcdef0123456789abcdef01234567/web/src/main.js#L7',
    )
    expect(complaints.list).toEqual([])
    await close()
  })

  it('L87: releases and where they were deployed are marked on the charts of an issue and of Explore', async () => {
    const { page, complaints, close } = await openPage(browser, signedIn)
    const { id } = await apiOf(server).issue('BasketError')
    await page.goto(`${origin}${ORG}/issues/${id}/`)
    // Of several at nearly the same place the last is named: both deploys came within a second.
    await page.getByText(/^2026\.11\.2 staging$/).waitFor()
    await page.goto(`${origin}${ORG}/explore?dataset=errors`)
    await page
      .getByText(/Marked: .*2026\.11\.2 staging at /)
      .first()
      .waitFor({ state: 'attached' })
    expect(complaints.list).toEqual([])
    await close()
  })

  it('nobody is sent to review what is resolved', async () => {
    const { page, complaints, close } = await openPage(browser, signedIn)
    await page.goto(`${origin}${ORG}/releases/${encodeURIComponent(AGED)}`)
    await page.getByText('1 issue is new in it.').waitFor()
    await page.getByRole('link', { name: /^AgedError/ }).waitFor()
    expect(await page.getByRole('link', { name: 'Review its issues' }).count()).toBe(0)
    expect(complaints.list).toEqual([])
    await close()
  })

  it('a release is finalized and archived, each undone; one without events is deleted', async () => {
    const { page, complaints, close } = await openPage(browser, signedIn)
    const frame = frameOf(page)
    const stored = () =>
      ann<{ status: string; dateReleased: string | null }>('GET', `${ORG}/releases/${encodeURIComponent(NOW)}/`)
    await page.goto(`${origin}${ORG}/releases/${encodeURIComponent(NOW)}`)
    await page.getByRole('button', { name: 'Finalize' }).click()
    await frame.message('The release is finalized')
    await page.getByText(/^Shop · released/).waitFor()
    await page.keyboard.press('z')
    await page.getByText(/^Shop · first seen/).waitFor()
    expect(await stored()).toMatchObject({ dateReleased: null })
    await page.getByRole('button', { name: 'Archive' }).click()
    await frame.message('The release is archived')
    await page.getByRole('button', { name: 'Restore' }).waitFor()
    expect(await stored()).toMatchObject({ status: 'archived' })
    await page.keyboard.press('z')
    await page.getByRole('button', { name: 'Archive' }).waitFor()
    expect(await stored()).toMatchObject({ status: 'open' })
    // Events would name it again.
    expect(await page.getByRole('button', { name: 'More' }).count()).toBe(0)

    await page.goto(`${origin}${ORG}/releases/shop-web@2027.1.0`)
    await page.getByText('No event has come of it yet.').waitFor()
    await frame.choose(page.getByRole('button', { name: 'More', exact: true }), 'Delete')
    await frame.question.getByRole('button', { name: 'Delete release' }).click()
    await frame.message('The release is deleted')
    await page.getByRole('table', { name: 'Releases' }).waitFor()
    await page.goto(`${origin}${ORG}/releases/shop-web@2027.1.0`)
    await page.getByText('Release not found').waitFor()
    expect(complaints.list.filter((one) => !one.includes('404'))).toEqual([])
    await close()
  })

  it('L64: what to type stands where nothing was uploaded; what was uploaded is listed with what is wrong, and deleted', async () => {
    const { page, complaints, close } = await openPage(browser, signedIn)
    const frame = frameOf(page)
    const { organization, project, token } = server.account
    await page.goto(`${origin}${ORG}/releases/${encodeURIComponent(NOW)}`)
    await page.getByText(`--org ${organization} --project ${project} --release ${NOW} ./dist`).waitFor()

    const uploader = uploaderOf({ port: server.port, organization, token })
    expect(await uploader.upload(FILES, { projects: [project], version: NOW })).toMatchObject({ state: 'ok' })
    await page.reload()
    const uploads = page.getByRole('list', { name: 'Uploads' })
    await uploads.getByRole('button', { name: '3 files', exact: true }).click()
    const files = uploads.getByRole('list', { name: 'Files' })
    await files.getByText(/This is HTML, not a source map/).waitFor()
    await files.getByText(/in use/).waitFor()
    await page.getByText(/^3 files, last upload/).waitFor()

    await page.goto(`${origin}${ORG}/settings/projects/${project}?tab=source-maps`)
    await page.getByRole('link', { name: NOW }).waitFor()
    await page.getByRole('searchbox', { name: 'Search source maps' }).fill('2026.11.1')
    await page.getByText('No upload matches').waitFor()
    await page.getByRole('button', { name: 'Clear the search' }).click()
    await page.getByRole('button', { name: 'Delete these 3 files' }).click()
    await frame.question.getByRole('button', { name: 'Delete files' }).click()
    await frame.message('3 files are deleted')
    await page.getByText('No source maps yet').waitFor()

    await page.getByRole('textbox', { name: 'Hosts to fetch from' }).fill('shop.example\n*.cdn.example')
    await page.getByRole('switch', { name: 'Fetch those that nobody uploaded' }).click()
    await page.getByRole('button', { name: /^Save/ }).click()
    await frame.message('Saved; it holds for errors that come from now on')
    expect(await apiOf(server).get(`/projects/${ORGANIZATION}/${project}/site-maps/`)).toEqual({
      enabled: true,
      hosts: ['shop.example', '*.cdn.example'],
    })
    expect(complaints.list).toEqual([])
    await close()
  })
})
