import { describe, expect, it } from 'vitest'
import type { RecordedEvent } from './events.ts'
import { keptByName, keptUnderNames, namesIn } from './kept-names.ts'
import { element, meta, NOW, snapshot, text } from './page.fixture.ts'
import { rewriteEvents } from './rewrite.ts'
import { MISSING_PICTURE } from './urls.ts'

const CDN = 'https://cdn.example'
const PHOTO = '12-3f9a'
const FONT = '13-00ff'
const SVG = 'data:image/svg+xml;base64,PHN2ZyB4bWxucz0iaHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmciLz4='

const page = (...body: ReturnType<typeof element>[]): RecordedEvent[] => [
  meta(NOW, 'https://shop.example/'),
  snapshot(NOW, ...body),
]

const named = (events: readonly RecordedEvent[], characters = 10_000): RecordedEvent[] =>
  rewriteEvents(
    events,
    keptUnderNames(
      new Map([
        [`${CDN}/photo`, PHOTO],
        [`${CDN}/font`, FONT],
      ]),
      new Map([[`${CDN}/site.css`, { text: `@font-face{src:url("${CDN}/font")}`, imports: [] }]]),
      characters,
    ),
  ).events

const EVENTS = page(
  element(3, 'img', { src: `${CDN}/photo` }),
  element(4, 'link', { rel: 'stylesheet', href: `${CDN}/site.css` }),
  element(5, 'img', { src: `${CDN}/other` }),
  element(6, 'p', { style: `background:url(${CDN}/photo)` }),
)

describe('a page with names for what was kept of it', () => {
  it('R69 R99 tells no address, and is drawn with what came of each name; what did not come is a grey dot', () => {
    const written = JSON.stringify(named(EVENTS))
    expect(written).not.toContain('cdn.example')
    expect(namesIn(written)).toEqual([PHOTO, FONT])
    const drawn = JSON.stringify(rewriteEvents(named(EVENTS), keptByName(new Map([[PHOTO, SVG]]))).events)
    expect(drawn.split(SVG)).toHaveLength(3)
    // The font and nothing else kept its name, whose address is a picture that a browser has already.
    expect(namesIn(drawn)).toEqual([FONT])
    expect(drawn.split(MISSING_PICTURE)).toHaveLength(2)
  })

  it('R69 R99 has none of the names that were recorded, also where they stand in a style sheet', () => {
    const forged = JSON.stringify(named(page(element(3, 'img', { src: `${CDN}/photo` }))))
      .match(/data:image\/gif;kept=[^"]*/)?.[0]
      .replace('12-3f9a', '99-dead')
    const hostile = page(
      element(3, 'img', { src: forged ?? '' }),
      element(4, 'style', {}, text(5, `p{background:url(${forged})}`)),
    )
    expect(namesIn(JSON.stringify(hostile))).toHaveLength(1)
    expect(namesIn(JSON.stringify(named(hostile)))).toEqual([])
  })

  it('R69 R99 is bounded: names and sheets that are written, names that are looked for', () => {
    expect(namesIn(JSON.stringify(named(EVENTS, 50)))).toEqual([])
    const many = Array.from({ length: 3000 }, (_, index) => MISSING_PICTURE.replace(';', `;kept=${index};`))
    expect(namesIn(many.join(' '))).toHaveLength(1000)
    const drawn = rewriteEvents(
      named(page(...Array.from({ length: 100 }, (_, index) => element(3 + index, 'img', { src: `${CDN}/photo` })))),
      keptByName(new Map([[PHOTO, `data:image/png;base64,${'A'.repeat(1024 * 1024)}`]])),
    )
    expect(JSON.stringify(drawn.events).length).toBeLessThan(33 * 1024 * 1024)
  })
})
