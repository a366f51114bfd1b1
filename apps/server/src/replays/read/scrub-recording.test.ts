import { deflateSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { DEFAULT_PROJECT_SETTINGS } from '../../accounts/index.ts'
import { breadcrumb, incremental, meta, span, START } from '../replay.fixture.ts'
import { decodeSegment } from './decode-segment.ts'
import { receiveSegment } from './receive-segment.ts'
import { scrubRecording } from './scrub-recording.ts'

const SCRUBBING = { ...DEFAULT_PROJECT_SETTINGS.scrubbing, sensitiveFields: ['iban_field'] }
const CARD = '4111 1111 1111 1111'
const text = (textContent: string, more: object = {}) => ({ type: 3, id: 7, textContent, ...more })
const element = (tagName: string, attributes: object, ...childNodes: readonly object[]) => ({
  type: 2,
  id: 6,
  tagName,
  attributes,
  childNodes,
})
const page = (...childNodes: readonly object[]) => ({
  type: 2,
  timestamp: START,
  data: { node: { type: 0, id: 1, childNodes } },
})

/** What is left of an event. */
const scrubbed = <Event>(event: Event, scrubbing = SCRUBBING): Event => {
  const copy = structuredClone(event)
  const changed = scrubRecording([copy], { scrubbing })
  expect(changed).toBe(JSON.stringify(copy) !== JSON.stringify(event))
  return copy
}

const payload = (events: readonly unknown[], number = 0): Buffer =>
  Buffer.concat([Buffer.from(`{"segment_id":${number}}\n`), deflateSync(JSON.stringify(events))])

describe('rules of scrubbing', () => {
  it('R98 take secrets out of declarations with a priority, and of what is added to style sheets or changed in them', () => {
    const changes = (address: string) => ({
      attributes: [{ id: 4, attributes: { style: { color: 'red', background: [`url(${address})`, 'important'] } } }],
      texts: [{ id: 5, value: `.b { background: url(${address}) }` }],
      adds: [{ parentId: 6, node: text(`.a { background: url(${address}) }`) }],
    })
    expect(scrubbed(incremental(START, 0, changes('/a?iban_field=abc&b=2')))).toEqual(
      incremental(START, 0, changes('/a?iban_field=[Filtered]&b=2')),
    )
  })

  it('R98 take secrets out of addresses and texts of pages, and leave the rest as it is', () => {
    expect(scrubbed(meta(START, 'https://shop.example/a?token=abc&page=2')).data.href).toBe(
      'https://shop.example/a?token=[Filtered]&page=2',
    )
    const before = page(
      element(
        'p',
        { class: 'auth-box', id: 'password', title: `Card ${CARD}` },
        text(`Card ${CARD} of ada@example.com`),
      ),
      element('a', { href: '/x?api_key=1&b=2', 'data-token': 'abc', 'data-row': '5' }, text('Forgot your password?')),
      element('img', { src: 'data:image/png;base64,token=abc', rr_dataURL: CARD }),
      element('iframe', { rr_src: 'https://pay.example/e?token=abc', rr_width: '300px' }),
      element('meta', { name: 'csrf-token', content: 'abc' }),
      element('input', { name: 'iban_field', value: 'any' }),
      element('input', { name: 'city', value: 'Rome', style: { background: 'url(/a.png?token=abc)' } }),
      element('style', { _cssText: '.a{background:url("b.png?token=abc")}' }, text('icon@2x.png url(c.png?token=1)')),
    )
    expect(scrubbed(before)).toEqual(
      page(
        element(
          'p',
          { class: 'auth-box', id: 'password', title: 'Card [creditcard]' },
          text('Card [creditcard] of [email]'),
        ),
        element(
          'a',
          { href: '/x?api_key=[Filtered]&b=2', 'data-token': '[Filtered]', 'data-row': '5' },
          text('Forgot your password?'),
        ),
        element('img', { src: 'data:image/png;base64,token=abc', rr_dataURL: CARD }),
        element('iframe', { rr_src: 'https://pay.example/e?token=[Filtered]', rr_width: '300px' }),
        element('meta', { name: 'csrf-token', content: '[Filtered]' }),
        element('input', { name: 'iban_field', value: '[Filtered]' }),
        element('input', { name: 'city', value: 'Rome', style: { background: 'url(/a.png?token=[Filtered])' } }),
        element(
          'style',
          { _cssText: '.a{background:url("b.png?token=[Filtered]")}' },
          text('icon@2x.png url(c.png?token=[Filtered])'),
        ),
      ),
    )
  })

  it('R98 leave out pages that stand in an attribute: what is blocked in them is whole there, and they are recorded as pages', () => {
    const frame = (attributes: object) => [
      page(element('iframe', { class: 'card', ...attributes })),
      incremental(START, 0, { attributes: [{ id: 4, attributes: { class: 'card', ...attributes } }] }),
    ]
    const [shown, changed] = frame({ srcdoc: '<p data-sentry-block>Ann</p>' })
    expect([scrubbed(shown), scrubbed(changed)]).toEqual(frame({}))
  })

  it('R98 take them out of what changes, is typed and is drawn', () => {
    const mutation = (secret: string, address: string) =>
      incremental(START, 0, {
        adds: [{ parentId: 1, nextId: null, node: element('p', {}, text(secret)) }],
        texts: [{ id: 3, value: secret }],
        attributes: [{ id: 4, attributes: { title: secret, href: address, style: false } }],
      })
    expect(scrubbed(mutation(CARD, '/a?token=1'))).toEqual(mutation('[creditcard]', '/a?token=[Filtered]'))
    expect(scrubbed(incremental(START, 5, { id: 3, text: CARD, isChecked: false }))).toEqual(
      incremental(START, 5, { id: 3, text: '[creditcard]', isChecked: false }),
    )
    const css = (value: string) => [
      incremental(START, 8, { adds: [{ rule: value }], replaceSync: value }),
      incremental(START, 13, { set: { property: 'background', value } }),
      incremental(START, 15, { styles: [{ styleId: 1, rules: [{ rule: value }] }] }),
      incremental(START, 10, { fontSource: value }),
    ]
    for (const [index, one] of css('url(a?token=1)').entries()) {
      expect(scrubbed(one)).toEqual(css('url(a?token=[Filtered])')[index])
    }
    const drawn = (args: readonly unknown[]) => incremental(START, 9, { commands: [{ property: 'fillText', args }] })
    expect(scrubbed(drawn([CARD, 1, 2]))).toEqual(drawn(['[creditcard]', 1, 2]))
  })

  it('R98 take them out of consoles, requests, clicks and what a page sends itself', () => {
    const { data: console } = scrubbed(
      breadcrumb(START, 'console', {
        message: 'secret: x',
        data: { arguments: [`Card ${CARD}`], password: 'x', lines: 3 },
      }),
    )
    expect(console.payload).toMatchObject({
      message: '[Filtered]',
      data: { arguments: ['Card [Filtered]'], password: '[Filtered]', lines: 3 },
    })
    const click = (message: string, textContent: string) =>
      breadcrumb(START, 'ui.click', {
        message,
        data: {
          nodeId: 3,
          node: { id: 3, tagName: 'button', textContent, attributes: { class: 'auth', title: textContent } },
        },
      })
    expect(scrubbed(click('form#auth > button.token', `Pay with ${CARD}`))).toEqual(
      click('form#auth > button.token', 'Pay with [creditcard]'),
    )
    const request = scrubbed(
      span(START, 'resource.fetch', {
        description: '/pay?token=abc',
        data: {
          statusCode: 200,
          request: { headers: { authorization: 'Basic abc', accept: '*/*' }, body: { password: 'x', city: 'Rome' } },
          response: { size: 5, body: '{"api_key":"x"}' },
        },
      }),
    )
    expect(request.data.payload).toMatchObject({
      description: '/pay?token=[Filtered]',
      data: {
        statusCode: 200,
        request: {
          headers: { authorization: '[Filtered]', accept: '*/*' },
          body: { password: '[Filtered]', city: 'Rome' },
        },
        response: { size: 5, body: '[Filtered]' },
      },
    })
    const own = (token: string) => ({ type: 5, timestamp: START, data: { tag: 'own', payload: { token, list: [1] } } })
    expect(scrubbed(own('abc'))).toEqual(own('[Filtered]'))
    const plugin = (value: string) => ({ type: 6, timestamp: START, data: { plugin: 'x', payload: { secret: value } } })
    expect(scrubbed(plugin('abc'))).toEqual(plugin('[Filtered]'))
  })

  it('R98 are those of the project: none where it wants none', () => {
    const event = meta(START, 'https://shop.example/a?token=abc')
    expect(scrubbed(event, { ...SCRUBBING, enabled: false })).toEqual(event)
    expect(scrubbed(event, { ...SCRUBBING, safeFields: ['token'] })).toEqual(event)
  })

  it('R98 are applied before a recording is kept: it is written anew only where something was taken out', () => {
    const clean = payload([meta(START)])
    const settings = { scrubbing: SCRUBBING }
    const same = receiveSegment(clean, settings)
    expect(same.ok && same.value.payload).toBe(clean)
    const received = receiveSegment(payload([meta(START, 'https://shop.example/?token=abc')], 7), settings)
    if (!received.ok) throw new Error(received.error)
    expect(Buffer.from(received.value.payload).toString('latin1')).toMatch(/^{"segment_id":7}\n/)
    const kept = decodeSegment(received.value.payload)
    if (!kept.ok) throw new Error(kept.error)
    expect(JSON.stringify(kept.value.events)).toContain('?token=[Filtered]')
    expect(kept.value).toEqual({ events: received.value.events, refused: 0, bytes: received.value.bytes })
  })

  it('R116 what is nested so deeply that it cannot be written anew is broken, and nothing breaks by odd values', () => {
    const deep = `${'{"a":'.repeat(100_000)}"${CARD}"${'}'.repeat(100_000)}`
    const event = `{"type":5,"timestamp":${START},"data":{"tag":"own","payload":${deep}}}`
    const sent = Buffer.concat([Buffer.from('{"segment_id":0}\n'), Buffer.from(`[${event}]`)])
    const received = receiveSegment(sent, { scrubbing: SCRUBBING })
    expect(received.ok ? '' : received.error).toBe('too_deep')
    const odd = [
      null,
      1,
      'x',
      { type: 3, data: { source: 0, adds: [1, { node: null }], texts: 'x' } },
      { type: 2, data: { node: 5 } },
    ]
    expect(scrubRecording(odd, { scrubbing: SCRUBBING })).toBe(false)
  })
})
