import { expect, it } from 'vitest'
import { normalised } from '../event/normalise/digest-item.fixture.ts'
import { metaJson } from './event-meta-json.ts'

const cut = { '': { rem: [['!limit', 's', 7, 10]], len: 20 } }

it('says what was cut and scrubbed by the places of the answer, as Sentry does', () => {
  const event = normalised({
    logentry: { message: 'a %s', formatted: 'a b' },
    exception: [{ type: 'E', value: 'v' }],
    request: { url: 'https://a.example/?q=1&r=2', headers: { Zone: 'a', Host: 'b' }, cookies: 'c=1' },
    breadcrumbs: [{ message: 'm' }],
    user: { id: '1' },
    extra: { body: 'x' },
    modules: { react: '19' },
    tags: [['zone', 'a']],
    _meta: {
      logentry: { formatted: cut },
      exception: { values: { 0: { value: cut } } },
      request: { query_string: { 1: { 1: cut } }, headers: { Zone: cut }, cookies: { 0: { 1: cut } }, data: cut },
      breadcrumbs: { values: cut },
      user: { id: cut },
      extra: { body: cut },
      modules: { react: cut },
      tags: { zone: cut },
      contexts: { state: { text: cut } },
      sdk: { name: cut },
    },
  })
  const zone = event.request?.headers?.findIndex(([name]) => name === 'Zone') ?? -1
  const entries = ['exception', 'message', 'request', 'breadcrumbs', 'debugmeta'].map((type) => ({ type }))
  expect(metaJson(event, entries)).toEqual({
    entries: {
      0: { data: { values: { 0: { value: cut } } } },
      1: { data: { formatted: cut } },
      2: { data: { query: { 1: { 1: cut } }, headers: { [zone]: { 1: cut } }, cookies: { 0: { 1: cut } }, data: cut } },
      3: { data: { values: cut } },
    },
    message: cut,
    user: { id: cut },
    contexts: { state: { text: cut } },
    sdk: { name: cut },
    context: { body: cut },
    packages: { react: cut },
    tags: { [event.tags.findIndex(([name]) => name === 'zone')]: { value: cut } },
  })
})

it('says of a bare list of an SDK what it says of one under values', () => {
  const meta = { '': { len: 120 }, 0: { message: cut } }
  const _meta = { breadcrumbs: meta, exception: { 0: { value: cut } } }
  const event = normalised({ breadcrumbs: [{ message: 'm' }], exception: [{ type: 'E', value: 'v' }], _meta })
  const entries = ['exception', 'breadcrumbs'].map((type) => ({ type }))
  expect(metaJson(event, entries).entries).toEqual({
    0: { data: { values: { 0: { value: cut } } } },
    1: { data: { values: meta } },
  })
})

it('says nothing of an event that is whole', () => {
  const nothing = { message: null, user: null, contexts: null, sdk: null, context: null, packages: null, tags: null }
  expect(metaJson(normalised({ message: 'm' }), [{ type: 'message' }])).toEqual({ entries: {}, ...nothing })
})
