import { describe, expect, it } from 'vitest'
import type { AttributeValue } from '../../event/index.ts'
import { nameByForm, operationOf, sentName, UNLABELED } from './names.ts'

const transactionName = (name: string, attributes: Readonly<Record<string, AttributeValue>>): string =>
  nameByForm(sentName(name, attributes))

describe('the name of a transaction', () => {
  it.each([
    ['T24', 'GET /orders/123', { 'sentry.segment.name.source': 'url' }, 'GET /orders/*'],
    ['T24', '/orders/456', {}, '/orders/*'],
    ['T24', 'GET /orders/456', { 'sentry.segment.name.source': 'unknown' }, 'GET /orders/*'],
    ['T25', '/files/0f8fad5b-d9cb-469f-a165-70867728950e/v1/en-US/s3', {}, '/files/*/v1/en-US/s3'],
    ['T25', '/by/2026-11-20/ann@example.com/01ARZ3NDEKTSV4RRFFQ69G5FAV', {}, '/by/*/*/*'],
    ['T26', 'GET /orders/123', { 'http.route': '/orders/:id' }, 'GET /orders/:id'],
    ['T26', 'GET', { 'http.route': 'GET /orders/:id', 'url.path': '/orders/7' }, 'GET /orders/:id'],
    ['T27', 'Pageload', { 'url.path': '/shop/17', 'sentry.op': 'pageload' }, '/shop/*'],
    ['T27', 'Navigation', { 'url.path': '/page2' }, '/page2'],
    ['a method alone', 'POST', { 'url.path': '/users/12', 'sentry.op': 'http.server' }, 'POST /users/*'],
    ['no name', '', { 'url.path': '/a', 'sentry.op': 'http.server', 'http.request.method': 'get' }, 'GET /a'],
    ['nothing at all', '', {}, UNLABELED],
    ['a name of the application', 'send 17 mails', { 'sentry.segment.name.source': 'custom' }, 'send 17 mails'],
    ['a route', '/users/:id/123', { 'sentry.segment.name.source': 'route' }, '/users/:id/123'],
    ['a query', '/find?q=ann', { 'sentry.segment.name.source': 'url' }, '/find'],
  ])('%s: %s', (_, name, attributes, expected) => {
    expect(transactionName(name, attributes)).toBe(expected)
  })

  it('is bounded', () => {
    expect(transactionName('x'.repeat(5000), {})).toHaveLength(200)
  })
})

describe('the operation of a span without one', () => {
  it.each([
    [{ 'db.system.name': 'postgresql' }, 'db'],
    [{ 'http.request.method': 'GET', 'sentry.kind': 'client' }, 'http.client'],
    [{ 'http.request.method': 'GET', 'sentry.kind': 'SERVER' }, 'http.server'],
    [{ 'messaging.system': 'kafka', 'sentry.kind': 'consumer' }, 'queue.process'],
    [{ 'gen_ai.operation.name': 'chat' }, 'gen_ai.chat'],
    [{}, 'default'],
  ])('%j is %s', (attributes, expected) => {
    expect(operationOf(attributes)).toBe(expected)
  })
})
