import { describe, expect, it } from 'vitest'
import { element, meta, mutation, NOW, snapshot, text } from './page.fixture.ts'
import { PageState } from './page-state.ts'
import { showsSomething } from './sight.ts'

const BODY = 3

const shows = (...body: Record<string, unknown>[]): boolean => {
  const page = new PageState()
  const head = element(
    90,
    'head',
    {},
    element(91, 'title', {}, text(92, 'Shop')),
    element(93, 'style', {}, text(94, 'p{}')),
  )
  for (const event of [meta(NOW), snapshot(NOW, head, element(BODY, 'body', {}, ...body))]) page.apply(event)
  return showsSomething(page)
}

describe('R35 something is to be seen of a page', () => {
  it('where a text stands in it, or an element that is seen without one, however deep', () => {
    expect(shows(element(4, 'div', {}, element(5, 'p', {}, text(6, ' Hello '))))).toBe(true)
    expect(shows(element(4, 'div'), element(5, 'canvas'))).toBe(true)
    expect(shows(element(4, 'img', { src: 'https://shop.example/lamp.png', width: '100' }))).toBe(true)
    const inShadow = { ...element(5, 'p', {}, text(6, 'Hello')), isShadow: true }
    expect(shows({ ...element(4, 'my-card', {}, inShadow), isShadowHost: true })).toBe(true)
    const slotted = { ...element(5, 'slot'), isShadow: true }
    expect(shows({ ...element(4, 'my-card', {}, slotted, text(6, 'Hello')), isShadowHost: true })).toBe(true)
  })

  it('and not where it only has what nobody sees', () => {
    expect(shows()).toBe(false)
    expect(shows(element(4, 'div', { id: 'app' }), text(5, '\n  '))).toBe(false)
    expect(shows(element(4, 'noscript', {}, text(5, 'Please allow scripts.')))).toBe(false)
    expect(shows(element(4, 'div', { style: 'color:red; display: none' }, text(5, 'Later')))).toBe(false)
    expect(shows(element(4, 'div', { hidden: '' }, element(5, 'button', {}, text(6, 'Later'))))).toBe(false)
    expect(shows(element(4, 'img', { src: 'https://count.example/', width: '1', height: '1' }))).toBe(false)
    expect(shows(element(4, 'input', { type: 'hidden', value: 'token' }))).toBe(false)
  })

  it.each([
    { rr_width: '0px', rr_height: '0px' },
    { rr_width: '300px', rr_height: '1px' },
    { rr_width: '0.5px', rr_height: '0.5px' },
    { style: 'border:0;WIDTH: 1px' },
    { style: 'height:0 !important' },
    { style: 'visibility:hidden' },
    { style: 'opacity:0' },
    { style: 'opacity:0.0;color:red' },
    { width: 0 },
  ])('and not of an image or a frame like that: %j', (attributes) => {
    expect(shows(element(4, 'img', attributes), element(5, 'iframe', attributes))).toBe(false)
  })

  it.each([
    { rr_width: '20px', rr_height: '10px' },
    { style: 'width:10px;height:1.5px' },
    { style: 'max-width:0.1em;visibility:visible;opacity:0.5' },
    { style: 'visibility:hidden;visibility:visible' },
    { style: 'background:url("data:image/png;base64,AA")' },
  ])('but of one like that: %j', (attributes) => {
    expect(shows(element(4, 'img', attributes))).toBe(true)
  })

  it('what a box holds is seen beside it, unless the box is not drawn or cuts it off', () => {
    const box = (style: string) => shows(element(4, 'div', { style }, element(5, 'p', {}, text(6, 'Hello'))))
    expect(box('height:0')).toBe(true)
    expect(box('height:0;overflow:hidden')).toBe(false)
    expect(box('visibility:hidden')).toBe(false)
    expect(box('opacity:0')).toBe(false)
    expect(shows(element(4, 'td', { width: '1' }, text(5, 'Hello')))).toBe(true)
  })

  it('as soon as a script shows it, and not where a script hides it', () => {
    const page = new PageState()
    const app = element(4, 'div', { style: 'visibility: hidden; color: red' }, text(5, 'Hello'))
    for (const event of [meta(NOW), snapshot(NOW, element(BODY, 'body', {}, app))]) page.apply(event)
    expect(showsSomething(page)).toBe(false)
    const set = (style: unknown) => page.apply(mutation(NOW + 1, { attributes: [{ id: 4, attributes: { style } }] }))
    set({ visibility: 'visible' })
    expect(showsSomething(page)).toBe(true)
    set({ opacity: ['0', 'important'] })
    expect(showsSomething(page)).toBe(false)
    set({ opacity: false })
    expect(showsSomething(page)).toBe(true)
    set('display: none')
    expect(showsSomething(page)).toBe(false)
  })

  it('as soon as it comes', () => {
    const page = new PageState()
    expect(showsSomething(page)).toBe(false)
    for (const event of [meta(NOW), snapshot(NOW, element(BODY, 'body'))]) page.apply(event)
    expect(showsSomething(page)).toBe(false)
    page.apply(mutation(NOW + 1, { adds: [{ parentId: BODY, nextId: null, node: text(4, 'Hello') }] }))
    expect(showsSomething(page)).toBe(true)
  })
})
