import { describe, expect, it } from 'vitest'
import { readPlace } from './place.ts'

const ID = 'd3cb139afef148c784d56d5ce20952f4'
const OURS = 'https://errors.example'
const tokenOf = (said: unknown): string => `sntrys_${Buffer.from(JSON.stringify(said)).toString('base64')}_x`
const page = (server: string): string => `${server}/organizations/acme/replays/${ID}/`
const place = { url: OURS, organization: 'acme', replay: ID }

describe('the token is shown', () => {
  it.each([
    ['to the server in the environment', page(OURS), 'personal', { SENTRY_URL: `${OURS}/` }],
    ['to the server that the token is of', page(OURS), tokenOf({ url: OURS, org: 'other' }), {}],
    ['to either where both are known', page(OURS), tokenOf({ url: OURS }), { SENTRY_URL: 'https://old.example' }],
    ['to the configured one where only an id is given', ID, 'personal', { SENTRY_URL: OURS, SENTRY_ORG: 'acme' }],
    ['to the one of the token where only an id is given', ID, tokenOf({ url: OURS, org: 'acme' }), {}],
  ])('%s', (_, given, token, environment) => {
    expect(readPlace(given, { token, environment })).toEqual(place)
  })

  it('to the server that was said by --url, wherever the page is', () => {
    expect(readPlace(page('http://evil.example'), { token: 'personal', environment: {}, url: OURS })).toEqual(place)
  })

  it('to the whole address of a server below a path', () => {
    const given = page(`${OURS}/errors`)
    expect(readPlace(given, { token: 'personal', environment: { SENTRY_URL: OURS } })).toEqual({
      ...place,
      url: `${OURS}/errors`,
    })
  })
})

it('a shared link is refused with what to do instead', () => {
  for (const server of [OURS, `${OURS}/errors`]) {
    const refused = readPlace(`${server}/shared/Zm9v_-x/`, { token: 'personal', environment: { SENTRY_URL: OURS } })
    expect(refused).toMatch(/^a shared link does not say which replay it is of\. .*"Make a test"/)
  }
})

describe('the token is not shown', () => {
  it.each([
    ['to another server than that of the environment', 'http://evil.example', 'personal', { SENTRY_URL: OURS }],
    ['to another server than that of the token', 'http://evil.example', tokenOf({ url: OURS, org: 'acme' }), {}],
    ['to any server where none is known', OURS, 'personal', {}],
    ['to one whose name begins alike', `${OURS}.evil.example`, 'personal', { SENTRY_URL: OURS }],
    ['to one that has the name of ours as its user', `${OURS}@evil.example`, 'personal', { SENTRY_URL: OURS }],
    ['without encryption where it has been with', 'http://errors.example', 'personal', { SENTRY_URL: OURS }],
    ['to another port', `${OURS}:8443`, 'personal', { SENTRY_URL: OURS }],
  ])('%s', (_, server, token, environment) => {
    const refused = readPlace(page(server), { token, environment })
    expect(refused).toContain('is not sent to')
    expect(refused).toContain('--url')
  })
})
