import { describe, expect, it } from 'vitest'
import { assetType } from './asset-type.ts'

const typeOf = (text: string): string | null => assetType('image/svg+xml', Buffer.from(text))

describe('the type of what came', () => {
  it('R69 an SVG begins with its element, after comments, blanks, and declarations that declare nothing', () => {
    for (const before of [
      '',
      '\uFEFF \n\t',
      '<?xml version="1.0"?>\n',
      '<!-- <svg> --><!---->\n<!-- > -->',
      '<?XML version="1.0"?><!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "svg11.dtd"><!-- x -->',
    ]) {
      expect({ before, type: typeOf(`${before}<svg xmlns="x"></svg>`) }).toEqual({ before, type: 'image/svg+xml' })
      expect(typeOf(`${before}<SVG></SVG>`)).toBe('image/svg+xml')
    }
    for (const text of [
      'x<svg>',
      '<svgs>',
      '<svg',
      '<!-- <svg>',
      '<!---><svg>',
      '<?xml <svg>',
      '<?xml > ?><svg>',
      '<!doctype svg [<!ATTLIST a b CDATA "c">]><svg>',
      '<!doctype html><svg>',
      `<!--${'x'.repeat(5001)}--><svg>`,
      `${' '.repeat(10_000)}<svg>`,
    ]) {
      expect({ text: text.slice(0, 60), type: typeOf(text) }).toEqual({ text: text.slice(0, 60), type: null })
    }
  })

  // A pattern that tries all ways to divide these into comments needs minutes for the first and never ends at the last.
  it.each([34, 60, 1400])('R69 %i comments before what is no SVG are read in one go', (comments) => {
    expect(typeOf(`${'<!---->'.repeat(comments)}x`)).toBeNull()
    expect(typeOf(`${'<!---->'.repeat(comments)}<svg></svg>`)).toBe('image/svg+xml')
  })
})
