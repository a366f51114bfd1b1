import { type ClientLike, dsnOfClient } from '../client.ts'
import { element } from '../editor/dom.ts'
import type { DialogHost } from '../loader/loader.ts'
import type { Surface } from '../loader/surface.ts'
import type { FeedbackOptions } from '../options.ts'
import type { AllTexts } from '../text/catalogue.ts'
import type { Texts } from '../text/en.ts'
import { createFields } from './fields.ts'
import { createIncluded, type Logs } from './included.ts'
import { saveDraft, withKept } from './keeping.ts'
import { buildLayout } from './layout.ts'
import { createOpening } from './opening.ts'
import { mergeOptions, textsOf } from './settings.ts'
import type { FormState } from './state.ts'
import { STYLES } from './styles.ts'
import { submit } from './submit.ts'
import type { Topics } from './topics.ts'

export interface Form {
  readonly el: HTMLElement
  appendToDom(): void
  /** For good: the form cannot be opened again. */
  removeFromDom(): void
  open(): void
  close(): void
}

/** Events of a form that stay in it, beside those of the trigger. */
const SHIELDED =
  'dblclick contextmenu mouseup pointerup touchend keypress keyup focusout beforeinput input change copy cut paste wheel'

/** Most forms ask for neither. A form whose questions do not load can still be sent. */
const topicsOf = async (options: FeedbackOptions, texts: AllTexts, surface: Surface): Promise<Topics> =>
  options.categories || options.rating
    ? import('./topics.ts').then(
        ({ createTopics }) => createTopics(options, texts, surface),
        () => ({ fields: [], texts }),
      )
    : { fields: [], texts }

/** Without its code the form does without, and says nothing of them. */
const logsOf = async (
  client: ClientLike | undefined,
  options: FeedbackOptions,
  { includeLogs }: Texts,
  surface: Surface,
): Promise<Logs | null> =>
  options.logs
    ? import('../logs/logs.ts').then(
        ({ recentLines, showLines }) => ({
          take: () => recentLines(client),
          show: (lines) => showLines(lines, includeLogs, surface),
        }),
        () => null,
      )
    : null

/** Builds a form. It keeps what is typed while the page lives, and a draft of it on the device until it has arrived. */
export const createForm = async (host: DialogHost, general: FeedbackOptions, own: FeedbackOptions): Promise<Form> => {
  const options = mergeOptions(general, own)
  const client = host.getClient()
  const { surface } = host
  surface.style('dialog', STYLES)
  surface.shield(SHIELDED)

  const live = element('p', { class: 'quiet', role: 'status' })
  const announce = (text: string): void => {
    live.textContent = text
  }
  const { fields: topics, texts } = await topicsOf(options, await textsOf(host, options), surface)
  const fields = createFields(options, texts, topics, announce)
  const included = createIncluded(client, texts, await logsOf(client, options, texts, surface))
  const layout = buildLayout(options, texts, fields, live, included.element, () => leave())
  const { dialog } = layout
  const form: FormState = {
    host,
    options,
    texts,
    client,
    draftId: `${options.id ?? 'sentry-feedback'}:${(client && dsnOfClient(client)?.projectId) ?? ''}`,
    fields,
    ...layout,
    announce,
    included: included.read,
    renewIncluded: included.renew,
    control: null,
    openedAt: 0,
    close: () => close(),
  }
  const { open, close, leave } = createOpening(form)
  listenToSubmit(form)
  surface.root.append(dialog)

  return {
    el: dialog,
    appendToDom: () => {
      surface.sync()
      if (!dialog.isConnected) surface.root.append(dialog)
    },
    removeFromDom: () => {
      if (dialog.open) close()
      form.submission?.supersede()
      form.banner?.dismiss()
      form.control?.destroy()
      form.control = null
      dialog.remove()
    },
    open,
    close: leave,
  }
}

const listenToSubmit = (state: FormState): void => {
  const { form, send } = state
  const onSubmit = (event: Event): void => {
    event.preventDefault()
    void submit(state)
  }
  form.addEventListener('submit', onSubmit)
  // Also what the Enter key presses. In a sandboxed frame that may not send forms, that is as far as it gets.
  send.addEventListener('click', onSubmit)
  form.addEventListener('input', () => {
    saveDraft(state)
    withKept(({ mend }) => mend(state))
  })
}
