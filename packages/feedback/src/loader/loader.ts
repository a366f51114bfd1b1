import type { ClientLike } from '../client.ts'
import type { Form } from '../dialog/form.ts'
import type { ColorScheme, FeedbackOptions, Language, SendFeedbackParams } from '../options.ts'
import { languageOf } from './language.ts'
import { placeOf, schemeOf, STYLES } from './styles.ts'
import { createSurface, type Surface } from './surface.ts'

/** A trigger. */
export interface Actor {
  readonly el: HTMLElement
  appendToDom(): void
  removeFromDom(): void
  show(): void
  hide(): void
}

export interface Feedback {
  /** Opens the form when the element is clicked. Returns what takes that back. Throws when there is no such element. */
  attachTo(target: Element | string, options?: FeedbackOptions): () => void
  createWidget(options?: FeedbackOptions, shouldInsert?: boolean): Actor
  createForm(options?: FeedbackOptions): Promise<Form>
  openDialog(options?: FeedbackOptions): Promise<void>
  closeDialog(): void
  /** The trigger that appeared by itself. */
  getWidget(): Actor | null
  setTheme(scheme: ColorScheme): void
  /** Sends without showing anything. Resolves to the event id. */
  sendFeedback(params: SendFeedbackParams): Promise<string>
  /** Leaves the page as it was; with `purge`, the device as well: drafts and reports that wait. */
  remove(how?: { readonly purge?: boolean }): Promise<void>
}

/** What the dialog gets from the loader. */
export interface DialogHost {
  readonly surface: Surface
  readonly language: Language
  readonly getClient: () => ClientLike | undefined
  /** Takes triggers away while a form is open, and brings them back. */
  setTriggers(isVisible: boolean): void
  /** Follows the page's theme again. */
  refreshTheme(): void
  /** Where the focus goes when the opener is gone. */
  readonly trigger: () => HTMLElement | undefined
}

const KEPT_FLAG = 'firsthand-feedback'
/** Forms are kept by the options that asked for them; these are those of the trigger and of a bare call. */
const NONE: FeedbackOptions = {}

const newSurface = (options: FeedbackOptions, language: Language): Surface => {
  const surface = createSurface(options)
  surface.host.lang = language
  // Only a language that the page does not speak needs a direction of its own.
  if (language === 'ar') surface.host.dir = 'rtl'
  surface.style('base', STYLES + placeOf(options))
  return surface
}

/** Colours of the scheme, and those that the integrator chose. */
const paint = (surface: Surface, options: FeedbackOptions, scheme: ColorScheme): void => {
  const now = schemeOf(scheme)
  surface.style('scheme', `:host{color-scheme:${now}!important}`)
  if (options.themeLight || options.themeDark)
    void import('./theme.ts').then(({ themeOf }) => surface.style('theme', themeOf(options, now)))
}

const triggerButton = (options: FeedbackOptions, language: Language): HTMLButtonElement => {
  const el = document.createElement('button')
  el.type = 'button'
  el.className = 'trigger corner'
  const say = (label: string): void => {
    el.ariaLabel = options.triggerAriaLabel || label || 'Report a Bug'
    el.replaceChildren()
    if (label) el.appendChild(document.createElement('span')).textContent = label
  }
  say(options.triggerLabel ?? (language === 'en' ? 'Report a Bug' : ''))
  if (options.triggerLabel === undefined && language !== 'en')
    void import('./labels.ts').then(({ LABELS }) => say(LABELS[language]))
  return el
}

const whenParsed = (work: () => void): void => {
  if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', work, { once: true })
  else work()
}

/** Reports that wait on the device are sent. */
const sendKept = (): void => {
  try {
    if (localStorage.getItem(KEPT_FLAG)) void import('../send/keep.ts').then(({ watchOutbox }) => watchOutbox())
  } catch {
    // No storage, nothing waits.
  }
}

/** Calls at each click on the target. Returns what takes that back; `undo` has it until then. */
const listenTo = (target: Element | string, onClick: () => void, undo: Set<() => void>): (() => void) => {
  const element = typeof target === 'string' ? document.querySelector(target) : target
  if (!element) throw new Error('Unable to attach to target element')
  element.addEventListener('click', onClick)
  const detach = (): void => {
    element.removeEventListener('click', onClick)
    undo.delete(detach)
  }
  undo.add(detach)
  return detach
}

// long: the variables that its methods share; handing them to more functions costs bytes, and the budget is 3 kB.
export const createLoader = (
  options: FeedbackOptions,
  getClient: () => ClientLike | undefined,
): Feedback & { start(): void } => {
  let made: Surface | null = null
  let scheme: ColorScheme = options.colorScheme ?? 'system'
  let main: Actor | null = null
  let isRemoved = false
  let open: Form | null = null
  const forms = new Map<FeedbackOptions, Promise<Form>>()
  const actors = new Set<Actor>()
  const undo = new Set<() => void>()
  const language = (): Language => languageOf(options.language)

  const surface = (): Surface => {
    made ??= newSurface(options, language())
    paint(made, options, scheme)
    return made
  }

  const host: DialogHost = {
    get surface() {
      return surface()
    },
    get language() {
      return language()
    },
    getClient,
    setTriggers: (isVisible) => actors.forEach((actor) => (isVisible ? actor.show() : actor.hide())),
    refreshTheme: () => void surface(),
    trigger: () => [...actors][0]?.el,
  }

  const createForm = async (own: FeedbackOptions = NONE): Promise<Form> => {
    const { createForm: create } = await import('../dialog/form.ts')
    return create(host, options, own)
  }

  const openWith = async (own: FeedbackOptions = NONE): Promise<void> => {
    let form = forms.get(own)
    if (!form) forms.set(own, (form = createForm(own)))
    try {
      const ready = await form
      if (isRemoved) return
      open = ready
      ready.open()
    } catch {
      forms.delete(own)
      const { openInlineForm } = await import('./inline-form.ts')
      if (!isRemoved) openInlineForm(surface(), { ...options, ...own }, getClient())
    }
  }

  const createWidget = (own?: FeedbackOptions, shouldInsert = true): Actor => {
    const el = triggerButton({ ...options, ...own }, language())
    el.addEventListener('click', () => void openWith(own))
    const actor: Actor = {
      el,
      appendToDom: () => {
        surface().root.append(el)
        actors.add(actor)
        actor.show()
      },
      removeFromDom: () => {
        actor.hide()
        actors.delete(actor)
        el.remove()
      },
      show: () => surface().show(el),
      hide: () => surface().hide(el),
    }
    if (shouldInsert) actor.appendToDom()
    return actor
  }

  return {
    start: () => {
      isRemoved = false
      if (options.logs)
        import('../logs/logs.ts').then(
          ({ record }) => isRemoved || undo.add(record(getClient(), options)),
          // The form says that it has none.
          () => undefined,
        )
      whenParsed(() => {
        if (isRemoved) return
        if (options.autoInject !== false) main ??= createWidget()
        sendKept()
      })
    },
    attachTo: (target, own) => listenTo(target, () => void openWith(own), undo),
    createWidget,
    createForm,
    openDialog: openWith,
    closeDialog: () => open?.close(),
    getWidget: () => main,
    setTheme: (next) => {
      scheme = next
      if (made) surface()
    },
    sendFeedback: async (params) => {
      const { sendFeedback } = await import('../send/headless.ts')
      return sendFeedback(getClient(), options, params)
    },
    remove: async (how) => {
      isRemoved = true
      for (const form of forms.values()) void form.then((each) => each.removeFromDom())
      for (const back of undo) back()
      actors.clear()
      forms.clear()
      made?.destroy()
      made = main = open = null
      if (how?.purge) await import('../send/keep.ts').then(({ purge }) => purge())
    },
  }
}
