import type { PictureTexts } from './text/picture.en.ts'
import type { Texts } from './text/en.ts'
import type { TopicTexts } from './text/topic.en.ts'

/** Languages with a built-in catalogue. */
export type Language = 'en' | 'de' | 'fr' | 'es' | 'pt' | 'ja' | 'zh' | 'ar'

export type ColorScheme = 'system' | 'light' | 'dark'

/** Any CSS value. The names of `feedbackIntegration` of `@sentry/browser`. */
export interface FeedbackTheme {
  readonly foreground?: string
  readonly background?: string
  readonly accentForeground?: string
  readonly accentBackground?: string
  readonly successColor?: string
  readonly errorColor?: string
  readonly boxShadow?: string
  readonly outline?: string
}

interface FieldBase {
  /** Key in `contexts.feedback.fields` of the event. */
  readonly name: string
  readonly label: string
  readonly required?: boolean
}

/** A question of the integrator's own, below the message. */
export type CustomField =
  | (FieldBase & { readonly type: 'text'; readonly placeholder?: string })
  | (FieldBase & { readonly type: 'select'; readonly options: readonly (string | { value: string; label: string })[] })
  /** `max` stars, 5 unless said otherwise, at most 10. */
  | (FieldBase & { readonly type: 'rating'; readonly max?: number })
  | (FieldBase & { readonly type: 'checkbox' })

export type Primitive = string | number | boolean | bigint | null | undefined

export interface FeedbackAttachment {
  readonly filename: string
  readonly contentType: string
  readonly data: Blob
}

export interface FeedbackFormData {
  readonly name: string
  readonly email: string
  readonly message: string
  readonly attachments: readonly FeedbackAttachment[] | undefined
  readonly fields: Readonly<Record<string, string | number | boolean>>
  readonly category?: string
  readonly rating?: number
}

export interface FeedbackCallbacks {
  readonly onFormOpen?: () => void
  /** Closed without sending. */
  readonly onFormClose?: () => void
  /** The answer has arrived; the banner is still to be seen. */
  readonly onSubmitSuccess?: (data: FeedbackFormData, eventId: string) => void
  readonly onSubmitError?: (error: Error) => void
  /** The banner is over or was dismissed. */
  readonly onFormSubmitted?: () => void
}

/** Options with the names and defaults of `feedbackIntegration` of `@sentry/browser`. */
interface InheritedOptions extends FeedbackCallbacks {
  /** Of the host element; custom properties may be set on it from outside. `sentry-feedback` */
  readonly id?: string
  /** A trigger appears by itself. `true` */
  readonly autoInject?: boolean
  /** Accepted so that a configuration moves over; there is no branding. */
  readonly showBranding?: boolean
  readonly isNameRequired?: boolean
  readonly isEmailRequired?: boolean
  /** `true`; a hidden field still sends what is known of the user. */
  readonly showName?: boolean
  readonly showEmail?: boolean
  readonly enableScreenshot?: boolean
  /** Which properties of the SDK's user fill the fields. `{ email: 'email', name: 'username' }` */
  readonly useSentryUser?: { readonly email: string; readonly name: string }
  readonly tags?: Readonly<Record<string, Primitive>>
  /** Accepted so that a configuration moves over; constructable style sheets need none. */
  readonly styleNonce?: string
  /** Accepted so that a configuration moves over; modules need none. */
  readonly scriptNonce?: string
  readonly colorScheme?: ColorScheme
  readonly themeLight?: FeedbackTheme
  readonly themeDark?: FeedbackTheme
}

/** What stands beside the inherited options. */
interface AddedOptions {
  /** A built-in language, or `auto`: the page's `lang` when there is a catalogue for it, else English. `auto` */
  readonly language?: Language | 'auto'
  /** Corner of trigger, dialog and banner; `start` and `end` follow the direction of the language. `bottom-end` */
  readonly position?: 'bottom-end' | 'bottom-start' | 'top-end' | 'top-start'
  /** Distance from the edges in CSS px. `{ inline: 20, block: 20 }` */
  readonly offset?: { readonly inline?: number; readonly block?: number }
  /** `center` puts the dialog in the middle. `corner` */
  readonly layout?: 'corner' | 'center'
  /** False: the trigger stays in the page's own stacking, at `zIndex`. `true` */
  readonly topLayer?: boolean
  readonly zIndex?: number
  readonly fields?: readonly CustomField[]
  /** Asks what kind of report it is: a bug, an idea or praise; or one of the site's own, also as words between commas. `false` */
  readonly categories?: boolean | string | readonly (string | { readonly value: string; readonly label: string })[]
  /** Asks for one to five stars. `false` */
  readonly rating?: boolean
  /**
   * What the page said on its console and asked of servers in the minute before the form was opened goes along with a report.
   * The visitor sees it before, and may leave it out. Where an SDK notes such things, it is the SDK's notes. `false`
   */
  readonly logs?: boolean
  /** Further data for `contexts`, asked when the report is sent. */
  readonly context?: () => Readonly<Record<string, Readonly<Record<string, unknown>>>>
  /** Last look at the event before it is sent; null drops it, and the visitor is told. */
  readonly beforeSend?: (event: FeedbackEvent) => FeedbackEvent | null | Promise<FeedbackEvent | null>
  /** Who the visitor is, when no SDK knows. */
  readonly user?: () => Readonly<Record<string, unknown>> | null | undefined
  /** Event that the report is about. */
  readonly associatedEventId?: string
  /** Address tried when the way to the server is blocked: a same-origin tunnel. */
  readonly fallbackTunnel?: string
  /** Selectors of what never reaches a picture of the page. */
  readonly mask?: readonly string[]
  readonly unmask?: readonly string[]
}

/** Every text, under its name in the catalogue. */
export type TextOptions = { readonly [Key in keyof Texts | keyof PictureTexts | keyof TopicTexts]?: string }

export interface FeedbackOptions extends InheritedOptions, AddedOptions, TextOptions {}

/** Without an SDK. */
export interface StandaloneOptions extends FeedbackOptions {
  readonly dsn: string
  /** Same-origin path that every report goes to, instead of the DSN's server. */
  readonly tunnel?: string
  readonly release?: string
  readonly environment?: string
  readonly dist?: string
}

export interface FeedbackContext {
  message: string
  name?: string
  contact_email?: string
  url?: string
  source: string
  replay_id?: string
  associated_event_id?: string
  /** `bug`, `idea`, `praise`, or one of the integrator's own. */
  category?: string
  /** Stars, 1 to 5. */
  rating?: number
  /** Answers to the integrator's own fields. */
  fields?: Record<string, string | number | boolean>
  /** Milliseconds from the opening of the form until it was sent. */
  fill_ms?: number
  /** What stands in a field that people do not see. Empty for people. */
  honeypot?: string
}

/** Payload of the `feedback` item. */
export interface FeedbackEvent {
  event_id: string
  type: 'feedback'
  level?: string
  timestamp: number
  platform: string
  contexts: Record<string, unknown> & { feedback: FeedbackContext }
  tags?: Record<string, Primitive>
  [key: string]: unknown
}

export interface SendFeedbackParams {
  readonly message: string
  readonly name?: string
  readonly email?: string
  readonly url?: string
  readonly source?: string
  readonly associatedEventId?: string
  readonly tags?: Readonly<Record<string, Primitive>>
  readonly fields?: Readonly<Record<string, string | number | boolean>>
  readonly category?: string
  readonly rating?: number
}
