import { describe, expect, it } from 'vitest'
import type { AttributeValue } from '../../event/index.ts'
import { LIMITS } from '../limits.ts'
import { createDescriber } from './describe.ts'

const describeOne = (op: string, name: string, attributes: Readonly<Record<string, AttributeValue>> = {}) =>
  createDescriber()(1, { op, name, attributes })

it.each([
  ['db', 'SELECT * FROM a WHERE b = 1', {}, 'db', 'SELECT * FROM a WHERE b = %s', 'a'],
  ['db', 'query', { 'db.query.text': 'SELECT c FROM a' }, 'db', 'SELECT c FROM a', 'a'],
  ['db.sql.active_record', 'User Load 17', {}, 'db', 'User Load *', ''],
  [
    'db',
    '{"find":"users","filter":{"_id":{"$in":["a","b",3]}},"limit":1}',
    { 'db.system.name': 'mongodb' },
    'db',
    '{"find":"users","filter":{"_id":{"$in":["?"]}},"limit":"?"}',
    'users',
  ],
  ['db', 'mongodb.find', { 'db.system.name': 'mongodb', 'db.mongodb.collection': 'users' }, 'db', '"?"', 'users'],
  [
    'resource.script',
    'https://cdn.example.com/v2/17/app.3f9c1b2e.js?x=1',
    {},
    'resource',
    'https://cdn.example.com/v2/*/app.*.js',
    'cdn.example.com',
  ],
  ['resource.script', '/assets/app.3f9c.js', {}, 'resource', '/assets/app.*.js', ''],
  ['resource.script', '/assets/3f9c1b2e.js', {}, 'resource', '/assets/*.js', ''],
  ['resource.script', '/assets/chunk-2b1d.min.js', {}, 'resource', '/assets/chunk-*.min.js', ''],
  ['resource.script', '/assets/face.vue3.js', {}, 'resource', '/assets/face.vue*.js', ''],
  ['resource.css', 'chrome-extension://abcdef/x.css', {}, 'resource', 'browser-extension://*', '*'],
  ['resource.img', 'data:image/png;base64,AAAA', {}, 'resource', 'data:image/png', ''],
  ['queue.process', 'job 17', { 'messaging.destination.name': 'mails' }, 'queue', 'mails', 'mails'],
  [
    'gen_ai.chat',
    'chat',
    { 'gen_ai.request.model': 'large-1', 'gen_ai.provider.name': 'acme' },
    'gen_ai',
    'large-1',
    'acme',
  ],
  ['file.read', '/var/data/17/report-2026.csv', {}, 'file', '/var/data/*/report-*.csv', ''],
  ['http.server', 'GET /', {}, '', '', ''],
] as const)('%s %s', (op, name, attributes, category, text, domain) => {
  expect(describeOne(op, name, attributes)).toEqual({ category, text, domain })
})

describe('T33 keys of Redis are in no group, of those of caches only what kind they are', () => {
  it.each([
    ['db.redis', 'GET session:ann@example.com', {}, 'GET *'],
    ['db', 'set "user:17" {"secret":1}', { 'db.system.name': 'redis' }, 'SET *'],
    ['db.redis', 'session:17', {}, '*'],
    ['db.redis', 'mysession', {}, '*'],
    ['db', 'x', { 'db.system.name': 'valkey', 'db.operation.name': 'hget' }, 'HGET *'],
    ['db.redis', 'GET session:17', { 'cache.key': ['session:17'] }, 'GET *'],
    ['cache.get', 'session:8c1f', {}, 'GET session:*'],
    ['cache.get', 'session:*', {}, 'GET session:*'],
    ['cache.get', 'bins:3', {}, 'GET bins:*'],
    ['cache.put', 'user:ann@example.com:cart', {}, 'PUT user:*'],
    ['cache.get', 'read', { 'cache.key': ['price:1', 'price:2'] }, 'GET price:*'],
    ['cache.get', 'read', { 'cache.key': 'stock/17' }, 'GET stock/*'],
    ['cache.get', 'mysession', {}, 'GET *'],
    ['cache.get', 'u17:cart', {}, 'GET *'],
    ['cache.get', '9f8b7c6d5e4f', {}, 'GET *'],
    ['cache.get', 'ann@example.com:cart', {}, 'GET *'],
    ['cache.get', 'session:', {}, 'GET *'],
    ['cache', 'session:17', {}, '*'],
    ['cache.get_item', 'get', {}, 'GET_ITEM *'],
  ])('%s %s', (op, name, attributes, text) => {
    expect(describeOne(op, name, attributes).text).toBe(text)
  })
})

describe('T34 requests keep method, host and the template of their path', () => {
  it.each([
    ['GET https://api.example.com/orders/17?token=a', {}, 'GET https://api.example.com/orders/*', 'api.example.com'],
    [
      'GET',
      { 'http.request.method': 'get', 'url.full': 'https://ann:pw@a.example.com:8443/x/9f8b7c6d5e4f/y' },
      'GET https://a.example.com:8443/x/*/y',
      'a.example.com',
    ],
    [
      'GET',
      { 'url.full': 'https://a.example.com/u/ann', 'url.template': '/u/{name}', 'http.request.method': 'GET' },
      'GET https://a.example.com/u/{name}',
      'a.example.com',
    ],
    ['POST /api/carts/5/items', {}, 'POST /api/carts/*/items', ''],
    ['GET http://10.1.2.3/a', {}, 'GET http://*.*.*.*/a', '*.*.*.*'],
    ['GET http://localhost:3000/a', {}, 'GET http://localhost:3000/a', 'localhost'],
    [
      'POST',
      { 'http.request.method': 'POST', 'server.address': 'b.example.com', 'server.port': 443, 'url.path': '/q' },
      'POST https://b.example.com/q',
      'b.example.com',
    ],
    ['GET data:image/png;base64,AAAA', {}, 'GET data:image/png', ''],
  ] as const)('%s %j', (name, attributes, text, domain) => {
    expect(describeOne('http.client', name, attributes)).toEqual({ category: 'http', text, domain })
  })

  it('hosts of a domain are one from the 51st on, for each project by itself', () => {
    const describer = createDescriber()
    const of = (project: number, host: string) =>
      describer(project, { op: 'http.client', name: `GET https://${host}/a`, attributes: {} }).domain
    for (let index = 1; index <= LIMITS.SPAN_SUBDOMAINS; index += 1)
      expect(of(1, `c${index}.example.com`)).toBe(`c${index}.example.com`)
    expect(of(1, 'c51.example.com')).toBe('*.example.com')
    expect(of(1, 'c1.example.com')).toBe('*.example.com')
    expect(of(1, 'example.com')).toBe('example.com')
    expect(of(2, 'c1.example.com')).toBe('c1.example.com')
  })
})

it('statements whose quotes are none are told apart, whatever was seen before', () => {
  const describer = createDescriber()
  const textOf = (system: string, name: string) =>
    describer(1, { op: 'db', name, attributes: { 'db.system.name': system } }).text
  for (const [system, one, other] of [
    ['postgresql', "SELECT a -- it's\nFROM t WHERE x = 'y'", "SELECT a -- it's\nFROM u WHERE x = 'y'"],
    ['mysql', String.raw`SELECT 'it\'s' FROM t WHERE x = 'y'`, String.raw`SELECT 'it\'s' FROM u WHERE x = 'y'`],
    ['mysql', `SELECT "it's" FROM t WHERE x = 'y'`, `SELECT "it's" FROM u WHERE x = 'y'`],
    ['postgresql', `SELECT $$it's$$ FROM t WHERE x = 'y'`, `SELECT $$it's$$ FROM u WHERE x = 'y'`],
  ] as const) {
    expect(textOf(system, one)).not.toBe(textOf(system, other))
  }
  expect(textOf('', "SELECT a FROM t WHERE x = 'it''s' AND n = 1")).toBe(
    textOf('', "SELECT a FROM t WHERE x = 'z' AND n = 2"),
  )
})

it('texts of any kind are described and bounded', () => {
  const texts = [
    '',
    ' ',
    '\0',
    '{',
    '{"a',
    '[[[[',
    'GET ',
    '//',
    'http://',
    'http://[::1',
    'é'.repeat(5000),
    '{"find":'.repeat(5000),
    'a/'.repeat(5000),
    '-'.repeat(5000),
  ]
  for (const op of [
    'db',
    'db.redis',
    'cache.get',
    'http.client',
    'resource.script',
    'queue.publish',
    'gen_ai.chat',
    'file.read',
    'ui.click',
    'function',
    'mcp.server',
  ]) {
    for (const name of texts) {
      for (const system of ['', 'mongodb', 'mysql', 'redis']) {
        const { text, domain } = describeOne(op, name, { 'db.system.name': system })
        expect(text.length).toBeLessThanOrEqual(LIMITS.SPAN_GROUP_CHARS)
        expect(domain.length).toBeLessThanOrEqual(LIMITS.SPAN_GROUP_CHARS)
      }
    }
  }
})
