import type { PictureTexts } from '../text/picture.en.ts'

/** One picture as it will be sent: re-encoded, without alpha, EXIF or layers, and equal to what the preview shows. */
export interface Picture {
  readonly id: string
  readonly blob: Blob
  /** `screenshot.webp`, `screenshot-2.webp`, … */
  readonly filename: string
  /** True MIME type of the bytes: `image/webp`, `image/jpeg` or `image/png`. */
  readonly type: string
  /** Image pixels. */
  readonly width: number
  readonly height: number
  readonly source: PictureSource
}

/** `page`: rendered from the DOM without a prompt · `capture`: the browser's screen capture. */
export type PictureSource = 'page' | 'capture' | 'upload' | 'paste'

export interface PictureOptions {
  /** Selectors of elements whose content never reaches a picture, beside `[data-fh-mask]`, `[data-fh-block]` and the built-in ones. */
  readonly mask?: readonly string[]
  /** Selectors of form fields whose value may be seen, beside `[data-fh-unmask]`. Never opens password, card or one-time-code fields. */
  readonly unmask?: readonly string[]
}

/** What the dialog gives to the picture control. */
export interface PictureHost {
  /** The widget's shadow root: gets the style sheet and the paste listener; its host is left out of pictures. */
  readonly root: ShadowRoot
  readonly texts: PictureTexts
  readonly options: PictureOptions
  /** Says a text through the dialog's live region. */
  announce(text: string): void
  /** The list of pictures changed: one added, edited or removed. */
  onChange(): void
  /** Takes the whole widget off the screen, and returns what brings it back. */
  hideWidget(): () => void
}

export interface PictureControl {
  readonly element: HTMLElement
  /** The pictures as last encoded. Call `ready()` before sending. */
  pictures(): readonly Picture[]
  /** Resolves when every edit is in the bytes of `pictures()`: a hidden region must not be sent because Send was quick. */
  ready(): Promise<void>
  /** Shows pictures of a draft. What is not an image is left out. */
  restore(pictures: readonly Picture[]): void
  setDisabled(on: boolean): void
  /** Ask before Escape closes the dialog: true when the editor used it (left crop mode, dropped a selection, closed the large view). */
  handleEscape(): boolean
  destroy(): void
}
