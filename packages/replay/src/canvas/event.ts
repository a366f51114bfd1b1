import type { RecordedEvent } from '../events.ts'

/** An incremental event, of a canvas. */
const INCREMENTAL = 3
const CANVAS = 9
/** Kinds of contexts by rrweb's numbers: pictures are painted on a canvas of two dimensions, whatever they come of. */
const FLAT = 0

export interface Picture {
  /** Of the canvas itself: the player scales up, and every place stays where it was. */
  readonly width: number
  readonly height: number
  readonly base64: string
  readonly type: string
}

/** As Sentry's recorder says it: wipe the canvas, then draw the picture as large as the canvas is. */
export const canvasEvent = (id: number, { width, height, base64, type }: Picture, at: number): RecordedEvent => ({
  type: INCREMENTAL,
  timestamp: at,
  data: {
    source: CANVAS,
    id,
    type: FLAT,
    commands: [
      { property: 'clearRect', args: [0, 0, width, height] },
      {
        property: 'drawImage',
        args: [
          {
            rr_type: 'ImageBitmap',
            args: [{ rr_type: 'Blob', data: [{ rr_type: 'ArrayBuffer', base64 }], type }],
          },
          0,
          0,
          width,
          height,
        ],
      },
    ],
  },
})
