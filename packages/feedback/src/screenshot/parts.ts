import { element } from '../editor/dom.ts'
import type { PictureTexts } from '../text/picture.en.ts'
import { createWays, type WayActions, type Ways } from './ways.ts'

const ACCEPTED = 'image/png,image/jpeg,image/webp,image/gif,image/avif,image/bmp'

/** Ways to a picture, but for the chooser of files, which is a part of the control. */
export type ControlActions = Omit<WayActions, 'upload'>

/** The elements of the control: the open picture on `stage`, all of them in `strip`, and below it how to add one. */
export interface ControlParts {
  readonly control: HTMLFieldSetElement
  readonly stage: HTMLElement
  readonly strip: HTMLElement
  readonly ways: Ways
  readonly file: HTMLInputElement
  readonly hint: HTMLElement
  readonly note: HTMLElement
}

export const buildParts = (texts: PictureTexts, actions: ControlActions): ControlParts => {
  const file = element('input', { type: 'file', accept: ACCEPTED, multiple: true, hidden: true, tabindex: '-1' })
  const ways = createWays(texts, { ...actions, upload: () => file.click() })
  const hint = element('p', { class: 'hint' }, texts.dropHint)
  const note = element('p', { class: 'note', hidden: true })
  const stage = element('div')
  const strip = element('ul', { class: 'strip', 'aria-label': texts.pictures })
  const control = element(
    'fieldset',
    { class: 'fh-pictures', 'aria-label': texts.pictures },
    stage,
    strip,
    ways.element,
    file,
    hint,
    note,
  )
  return { control, stage, strip, ways, file, hint, note }
}
