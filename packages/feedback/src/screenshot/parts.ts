import { button, element, icon, ICONS } from '../editor/dom.ts'
import type { PictureTexts } from '../text/picture.en.ts'
import { canCapture } from './capture.ts'

const ACCEPTED = 'image/png,image/jpeg,image/webp,image/gif,image/avif,image/bmp'

/** Ways to a picture. */
export interface ControlActions {
  takePage(): void
  takeCapture(): void
}

/** The elements of the control: the open picture on `stage`, all of them in `strip`, and below it how to add one. */
export interface ControlParts {
  readonly control: HTMLFieldSetElement
  readonly stage: HTMLElement
  readonly strip: HTMLElement
  readonly add: HTMLElement
  readonly page: HTMLButtonElement
  readonly capture: HTMLButtonElement
  readonly upload: HTMLButtonElement
  readonly file: HTMLInputElement
  readonly hint: HTMLElement
  readonly note: HTMLElement
}

const wayButton = (name: 'page' | 'capture' | 'upload', label: string, onClick: () => void): HTMLButtonElement => {
  const made = button({ 'data-action': name }, label, onClick)
  made.prepend(icon(ICONS[name]))
  return made
}

export const buildParts = (texts: PictureTexts, actions: ControlActions): ControlParts => {
  const file = element('input', { type: 'file', accept: ACCEPTED, multiple: true, hidden: true, tabindex: '-1' })
  const page = wayButton('page', texts.addScreenshotButtonLabel, actions.takePage)
  const capture = wayButton('capture', texts.captureScreen, actions.takeCapture)
  capture.hidden = !canCapture()
  const upload = wayButton('upload', texts.uploadImage, () => file.click())
  const add = element('div', { class: 'add' }, page, capture, upload, file)
  const hint = element('p', { class: 'hint' }, texts.dropHint)
  const note = element('p', { class: 'note', hidden: true })
  const stage = element('div')
  const strip = element('ul', { class: 'strip', 'aria-label': texts.pictures })
  const control = element(
    'fieldset',
    { class: 'fh-pictures', 'aria-label': texts.pictures },
    stage,
    strip,
    add,
    hint,
    note,
  )
  return { control, stage, strip, add, page, capture, upload, file, hint, note }
}
