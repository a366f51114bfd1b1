import { describe, expect, it } from 'vitest'
import { Work } from '../../lib/work.ts'
import { DEFAULT_PROJECT_SETTINGS, type ProjectSettings } from '../../accounts/settings.ts'
import { normalised, SENDER } from '../normalise/digest-item.fixture.ts'
import { filter } from './index.ts'

const NONE: ProjectSettings['filters'] = {
  browserExtensions: false,
  localhost: false,
  webCrawlers: false,
  legacyBrowsers: false,
  releases: [],
  errorMessages: [],
  ipAddresses: [],
}

const reasonOf = (payload: unknown, filters: Partial<ProjectSettings['filters']>): string | undefined =>
  filter(normalised(payload), SENDER, { ...DEFAULT_PROJECT_SETTINGS, filters: { ...NONE, ...filters } })?.outcome.reason

const thrownIn = (path: string, value = 'x') => ({
  platform: 'javascript',
  exception: [{ type: 'E', value, stacktrace: { frames: [{ filename: path }, { filename: '<anonymous>' }] } }],
})

const browser = (userAgent: string) => ({ platform: 'javascript', request: { headers: { 'User-Agent': userAgent } } })

describe('inbound filters', () => {
  it.each([
    'chrome-extension://abc/content.js',
    'moz-extension://abc/x.js',
    'safari-extension://abc/x.js',
    'safari-web-extension://abc/x.js',
    'webkit-masked-url://hidden/',
  ])('browser extensions: code from %s', (path) => {
    expect(reasonOf(thrownIn(path), { browserExtensions: true })).toBe('browser_extension')
    expect(reasonOf(thrownIn(path), {})).toBeUndefined()
  })

  it('browser extensions: by message, in browsers only', () => {
    const event = thrownIn('https://example.com/app.js', "Can't find variable: translateSelectedText")
    expect(reasonOf(event, { browserExtensions: true })).toBe('browser_extension')
    expect(reasonOf({ ...event, platform: 'python' }, { browserExtensions: true })).toBeUndefined()
    expect(reasonOf(thrownIn('https://example.com/app.js'), { browserExtensions: true })).toBeUndefined()
  })

  it.each([
    [{ request: { url: 'http://localhost:3000/x' } }, 'localhost'],
    [{ request: { url: 'http://shop.localhost/x' } }, 'localhost'],
    [{ request: { url: 'http://127.0.0.1/x' } }, 'localhost'],
    [{ request: { url: 'http://[::1]:80/x' } }, 'localhost'],
    [{ request: { url: 'file:///index.html' } }, 'localhost'],
    [{ user: { ip_address: '127.0.0.1' } }, 'localhost'],
    [{ request: { url: 'https://localhost.example.com/' } }, undefined],
    [{ request: { url: 'https://example.com/localhost' } }, undefined],
  ])('localhost: %j', (payload, expected) => {
    expect(reasonOf(payload, { localhost: true })).toBe(expected)
  })

  it.each([
    ['Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)', 'web_crawler'],
    ['Mozilla/5.0 (compatible; bingbot/2.0)', 'web_crawler'],
    ['facebookexternalhit/1.1', 'web_crawler'],
    ['Mozilla/5.0 (X11; Linux x86_64) HeadlessChrome/156.0.0.0 Safari/537.36', undefined],
    ['Mozilla/5.0 (Linux; Android 9; CUBOT X) Chrome/120.0.0.0 Mobile Safari/537.36', undefined],
  ])('web crawlers: %s', (userAgent, expected) => {
    expect(reasonOf(browser(userAgent), { webCrawlers: true })).toBe(expected)
  })

  it.each([
    ['Mozilla/5.0 (Windows NT 6.1; Trident/7.0; rv:11.0) like Gecko', 'legacy_browser'],
    [
      'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/49.0.0.0 Safari/537.36',
      'legacy_browser',
    ],
    [
      'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Safari/537.36',
      undefined,
    ],
  ])('legacy browsers: %s', (userAgent, expected) => {
    expect(reasonOf(browser(userAgent), { legacyBrowsers: true })).toBe(expected)
  })

  it('releases, error messages and addresses', () => {
    expect(reasonOf({ release: 'web@1.2.3' }, { releases: ['web@1.*'] })).toBe('release')
    expect(reasonOf({ release: 'web@2.0.0' }, { releases: ['web@1.*', ' '] })).toBeUndefined()
    const error = { exception: [{ type: 'TypeError', value: 'x is undefined' }] }
    expect(reasonOf(error, { errorMessages: ['typeerror: *'] })).toBe('error_message')
    expect(reasonOf({ message: 'noise 42' }, { errorMessages: ['noise *'] })).toBe('error_message')
    expect(reasonOf(error, { errorMessages: ['TypeError'] })).toBeUndefined()
    expect(reasonOf({}, { ipAddresses: ['203.0.113.0/24'] })).toBe('ip_address')
    expect(reasonOf({}, { ipAddresses: ['203.0.113.9'] })).toBe('ip_address')
    expect(reasonOf({}, { ipAddresses: ['10.0.0.0/8', '2001:db8::/32', 'garbage', '203.0.113.9/99'] })).toBeUndefined()
  })

  it('what people write into lists is compared in any case, and blanks around it do not count', () => {
    expect(reasonOf({ release: 'AxxBcD' }, { releases: [' ', ' a*b?d '] })).toBe('release')
    expect(reasonOf({ release: 'acc' }, { releases: ['a*b'] })).toBeUndefined()
  })

  it('200 patterns of 400 characters against the largest event cost what they may, not more', () => {
    const patterns = Array.from({ length: 200 }, (_, index) => `*${'a'.repeat(395)}b${index}`)
    const exception = Array.from({ length: 50 }, () => ({ type: 'E', value: 'a'.repeat(8192) }))
    const settings = { ...DEFAULT_PROJECT_SETTINGS, filters: { ...NONE, errorMessages: patterns } }
    const work = new Work(1_000_000)
    expect(filter(normalised({ exception }), SENDER, settings, work)).toBeNull()
    expect(work.isSpent).toBe(true)
    // What a pattern may cost for one text: a step for each character of it and 32 of the pattern.
    const one = new Work(1_000_000)
    const single = { ...settings, filters: { ...NONE, errorMessages: patterns.slice(0, 1) } }
    filter(normalised({ exception: exception.slice(0, 1) }), SENDER, single, one)
    expect(1_000_000 - one.left).toBeLessThan(8300 * (1 + Math.ceil(400 / 32)))
  })
})
