import type { PictureTexts } from '../text/picture.en.ts'
import { button, element, fill, icon, ICONS } from './dom.ts'
import type { MarkKind } from './edit.ts'
import { type Corner, CORNERS } from './geometry.ts'

export type Tool = 'crop' | MarkKind

/** What the buttons of the editor do. */
export interface EditorActions {
  /** `isByKey`: pressed by key or by assistive technology, so a mark is put on the picture at once. */
  choose(tool: Tool, isByKey: boolean): void
  undo(): void
  redo(): void
  toggleLarge(): void
  remove(): void
  leaveCrop(isKept: boolean): void
}

/** The elements of an editor. `home` is what the form shows; `editor` moves into `large` and back. */
export interface EditorParts {
  readonly home: HTMLElement
  readonly editor: HTMLElement
  readonly large: HTMLDialogElement
  readonly room: HTMLElement
  readonly stage: HTMLElement
  readonly canvas: HTMLCanvasElement
  readonly shade: HTMLElement
  readonly frame: HTMLElement
  readonly mover: HTMLButtonElement
  readonly corners: readonly (readonly [Corner, HTMLButtonElement])[]
  readonly size: HTMLElement
  readonly marks: HTMLElement
  readonly markHelpId: string
  readonly toolButtons: readonly (readonly [Tool, HTMLButtonElement])[]
  readonly undo: HTMLButtonElement
  readonly redo: HTMLButtonElement
  readonly enlarge: HTMLButtonElement
  readonly cancel: HTMLButtonElement
  readonly apply: HTMLButtonElement
  readonly status: HTMLElement
}

/** The picture on its canvas, the crop frame with its handles, and the layer that marks are added to. */
const buildStage = (texts: PictureTexts, helpId: string) => {
  const canvas = element('canvas', { 'aria-hidden': 'true' })
  const shade = element('div', { class: 'shade' })
  const clip = element('div', { class: 'clip' }, canvas, shade)
  const mover = element('button', { type: 'button', class: 'mover', 'aria-describedby': helpId })
  const corners = CORNERS.map((corner) => {
    const handle = element('button', {
      type: 'button',
      class: 'handle',
      'data-corner': corner,
      'aria-label': texts[corner],
      'aria-describedby': helpId,
    })
    return [corner, handle] as const
  })
  const size = element('span', { class: 'size', 'aria-hidden': 'true' })
  const frame = element('div', { class: 'frame' }, mover, size, ...corners.map(([, handle]) => handle))
  const marks = element('div', { class: 'marks' })
  const stage = element('div', { class: 'stage' }, clip, marks, frame)
  return { canvas, shade, mover, corners, size, frame, marks, stage }
}

export const toolNames = (texts: PictureTexts): readonly (readonly [Tool, string])[] => [
  ['crop', texts.crop],
  ['highlight', texts.highlightToolText],
  ['hide', texts.hideToolText],
  ['draw', texts.draw],
  ['arrow', texts.arrow],
]

const iconButton = (action: string, iconName: keyof typeof ICONS, label: string, onClick: () => void) =>
  button(
    { class: 'tool icon', 'aria-label': label, title: label, 'data-action': action },
    icon(ICONS[iconName]),
    onClick,
  )

const buildTools = (texts: PictureTexts, actions: EditorActions) => {
  const toolButtons = toolNames(texts).map(([name, label]) => {
    // detail is 0 when the button was pressed by key.
    const onClick = ({ detail }: MouseEvent): void => actions.choose(name, detail === 0)
    return [name, button({ class: 'tool', 'data-tool': name }, label, onClick)] as const
  })
  const undo = iconButton('undo', 'undo', texts.undo, actions.undo)
  const redo = iconButton('redo', 'redo', texts.redo, actions.redo)
  const enlarge = iconButton('enlarge', 'enlarge', texts.enlarge, actions.toggleLarge)
  const remove = iconButton('remove', 'remove', texts.removeScreenshotButtonLabel, actions.remove)
  // While cropping they stand where undo and redo do: no second row of buttons above those of the form.
  const cancel = iconButton('cancel', 'close', texts.cancel, () => actions.leaveCrop(false))
  const apply = iconButton('apply', 'check', texts.apply, () => actions.leaveCrop(true))
  const tools = element(
    'div',
    { class: 'tools', role: 'group', 'aria-label': texts.tools },
    ...toolButtons.map(([, made]) => made),
    element('span', { class: 'icons' }, undo, redo, enlarge, remove, cancel, apply),
  )
  return { toolButtons, undo, redo, enlarge, cancel, apply, tools }
}

/**
 * Builds the elements of an editor, with nothing on the stage yet.
 *
 * @param number of the picture, for the editor's accessible name
 */
export const buildParts = (texts: PictureTexts, number: number, actions: EditorActions): EditorParts => {
  const help = element('p', { class: 'quiet', id: 'fh-crop-help' }, texts.cropHelp)
  const markHelp = element('p', { class: 'quiet', id: 'fh-mark-help' }, texts.markHelp)
  const status = element('div', { role: 'status', class: 'quiet' })
  const { stage, ...onStage } = buildStage(texts, help.id)
  const { tools, ...buttons } = buildTools(texts, actions)
  const room = element('div', { class: 'room' }, stage)
  const label = fill(texts.editor, { number })
  const editor = element(
    'div',
    { class: 'editor', role: 'group', 'aria-label': label },
    room,
    tools,
    help,
    markHelp,
    status,
  )
  const large = element('dialog', { class: 'large', 'aria-label': label })
  const home = element('div', { class: 'editor-home' }, editor, large)
  return { home, editor, large, room, stage, ...onStage, markHelpId: markHelp.id, ...buttons, status }
}
