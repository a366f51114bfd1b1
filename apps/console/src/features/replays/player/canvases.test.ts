import { describe, expect, it } from 'vitest'

import { pictureOf } from './canvases.ts'

const drawn = (...numbers: readonly number[]) => {
  const data = [{ rr_type: 'ArrayBuffer', base64: 'AAAA' }]
  const bitmap = { rr_type: 'ImageBitmap', args: [{ rr_type: 'Blob', data, type: 'image/webp' }] }
  return { property: 'drawImage', args: [bitmap, ...numbers] }
}
const event = (...commands: readonly object[]) => ({ source: 9, id: 5, type: 0, commands })

describe('pictures of canvases', () => {
  it('R71 have the size of the canvas, whatever theirs is', () => {
    const wiped = { property: 'clearRect', args: [0, 0, 2560, 1440] }
    expect(pictureOf(event(wiped, drawn(0, 0, 2560, 1440)))).toEqual({
      url: 'data:image/webp;base64,AAAA',
      width: 2560,
      height: 1440,
    })
  })

  it('are none of what is no whole picture, or shows nothing', () => {
    expect(pictureOf(event({ property: 'clearRect', args: [0, 0, 10, 10] }))).toBeNull()
    expect(pictureOf(event(drawn(0, 0)))).toBeNull()
    expect(pictureOf(event(drawn(0, 0, 0, 10)))).toBeNull()
    expect(pictureOf({ source: 3, id: 5 })).toBeNull()
    expect(pictureOf(null)).toBeNull()
  })
})
