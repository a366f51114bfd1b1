import { describe, expect, it } from 'vitest'
import { DEFAULT_PROJECT_SETTINGS, type ProjectSettings } from '../../accounts/settings.ts'
import { normalised, SENDER } from '../normalise/digest-item.fixture.ts'
import { matchesGlob } from './glob.ts'
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

  it('matches globs, and many stars in a row do no harm', () => {
    expect(matchesGlob('a*b?d', 'AxxBcD')).toBe(true)
    expect(matchesGlob('a*b', 'acc')).toBe(false)
    expect(matchesGlob('', '')).toBe(true)
    expect(matchesGlob(`${'*a'.repeat(50)}b`, 'a'.repeat(8192))).toBe(false)
  })
})
