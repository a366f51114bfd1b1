import { describe, expect, it } from 'vitest'
import { placeOf, readTrackerFields } from './tracker-fields.ts'

const secrets = { token: 'secret' }
const github = (settings: object) => readTrackerFields('github', { settings, secrets })
const gitlab = (settings: object) => readTrackerFields('gitlab', { settings, secrets })
const jira = (url: string) =>
  readTrackerFields('jira', { settings: { url, project: 'SHOP', email: 'ann@acme.example' }, secrets })

describe('fields of a tracker', () => {
  it('keep the server of a page that somebody pasted', () => {
    for (const url of ['https://github.com/acme/shop', 'https://www.github.com/', 'http://GitHub.com']) {
      expect(github({ url, repository: 'acme/shop' })).toMatchObject({
        value: { settings: { url: 'https://github.com' } },
      })
    }
    expect(gitlab({ url: 'https://gitlab.com/acme/shop', project: 'acme/shop' })).toMatchObject({
      value: { settings: { url: 'https://gitlab.com' } },
    })
    expect(jira('https://acme.atlassian.net/jira/software/projects/SHOP')).toMatchObject({
      value: { settings: { url: 'https://acme.atlassian.net' } },
    })
    // Servers of one's own may be below a path.
    expect(jira('https://acme.example/jira')).toMatchObject({
      value: { settings: { url: 'https://acme.example/jira' } },
    })
  })

  it('refuse an address with what would stand before the path of a call', () => {
    for (const end of ['?', '?a=b', '#', '#readme']) {
      const refused = { error: { url: expect.stringContaining('without ? and #') as string } }
      expect(github({ url: `https://git.acme.example${end}`, repository: 'acme/shop' })).toMatchObject(refused)
      expect(jira(`https://acme.atlassian.net/browse/SHOP-1${end}`)).toMatchObject(refused)
    }
  })

  it('refuse names that lead to another place of the API', () => {
    for (const name of ['../shop', 'acme/..', './shop', 'acme/.']) {
      expect(github({ repository: name })).toMatchObject({ error: { repository: expect.any(String) as string } })
      for (const project of [name, `${name}/web`, `web/${name}`]) {
        expect(gitlab({ project })).toMatchObject({ error: { project: expect.any(String) as string } })
      }
    }
    for (const repository of ['acme/.github', '.a/..b', 'acme/a..']) {
      expect(github({ repository })).toMatchObject({ ok: true })
      expect(gitlab({ project: `${repository}/web` })).toMatchObject({ ok: true })
    }
  })

  it('are of one place however its address is written', () => {
    const place = placeOf('github', { url: 'https://github.com', repository: 'acme/shop' })
    expect(placeOf('github', { url: 'https://github.com/acme/shop', repository: 'Acme/Shop' })).toBe(place)
    expect(placeOf('github', { url: 'https://git.acme.example', repository: 'acme/shop' })).not.toBe(place)
  })
})
