import { button, element } from '../editor/dom.ts'
import type { Picture, PictureControl } from '../screenshot/contract.ts'
import { forgetDraft as forgetText, keepDraft, readDraft } from '../send/draft.ts'
import { replaced } from './settings.ts'
import { fieldOf, type FormState, showProblem, valuesOf } from './state.ts'

/** Fetched when the form opens, so that it is there when it is needed, also if the connection is not. */
export const sending = () => import('../send/sending.ts')

/** Pictures are kept beside the text; what cannot be fetched has kept none. */
export const withKept = (work: (kept: Awaited<ReturnType<typeof sending>>) => void): void => {
  sending().then(work, () => undefined)
}

const forgetDraft = (id: string): void => {
  forgetText(id)
  withKept(({ forgetPictures }) => forgetPictures(id))
}

/** What is typed, on the device, until it has arrived or is taken out. */
export const saveDraft = (form: FormState): void => {
  const { draftId, eventId, control } = form
  const values = valuesOf(form)
  if (!values['message'] && !control?.pictures().length) forgetDraft(draftId)
  else keepDraft(draftId, { values, ...(eventId && { eventId }) })
}

/** Fills in what was typed before a reload, and offers to discard it. */
export const restoreDraft = (form: FormState): void => {
  const { fields, hint, texts } = form
  const draft = readDraft(form.draftId)
  if (draft === null) return
  for (const each of fields) {
    const value = draft.values[each.name]
    if (typeof value === 'string' && value !== '') each.write(value)
  }
  form.eventId = draft.eventId
  const discard = button({ class: 'link' }, texts.discardLabel, () => {
    clearForm(form)
    fieldOf(form, 'message')?.input.focus()
  })
  hint.replaceChildren(`${texts.draftText} `, discard)
}

/** As it was at first, but for who the visitor is. */
export const clearForm = (form: FormState): void => {
  const { fields, pictures, dialog, hint } = form
  form.eventId = undefined
  form.submission = null
  forgetDraft(form.draftId)
  for (const each of fields) if (each.name !== 'name' && each.name !== 'email') each.write('')
  form.control?.destroy()
  form.control = null
  pictures.replaceChildren()
  if (dialog.open) void addPictures(form)
  hint.replaceChildren()
  showProblem(form, '')
}

const createControl = async (form: FormState): Promise<PictureControl> => {
  const { createPictureControl, pictureTexts } = await import('../screenshot/index.ts')
  const { texts, options, draftId, dialog } = form
  const { root, host: widget } = form.host.surface
  return createPictureControl({
    root,
    texts: replaced({ ...pictureTexts, ...texts }, options),
    options: { ...(options.mask && { mask: options.mask }), ...(options.unmask && { unmask: options.unmask }) },
    announce: form.announce,
    onChange: () => {
      const shown = form.control?.pictures() ?? []
      withKept(({ keepPictures }) => keepPictures(draftId, shown))
      saveDraft(form)
    },
    hideWidget: () => {
      widget.style.setProperty('opacity', '0', 'important')
      dialog.style.opacity = '0'
      return () => {
        // Only this: a page may have set colours there.
        widget.style.opacity = ''
        dialog.style.opacity = ''
      }
    },
  })
}

/** The control for pictures, with those that were kept. Without its code the form does without. */
export const addPictures = async (form: FormState): Promise<void> => {
  const { pictures, texts } = form
  if (form.options.enableScreenshot === false || form.control !== null) return
  try {
    const made = await createControl(form)
    if (form.control !== null) return made.destroy()
    form.control = made
    pictures.append(made.element)
    const { readPictures } = await sending()
    const kept = (await readPictures(form.draftId)) as readonly Picture[]
    if (kept.length > 0) made.restore(kept)
  } catch {
    pictures.replaceChildren(element('p', { class: 'note' }, texts.unavailablePictureText))
  }
}
