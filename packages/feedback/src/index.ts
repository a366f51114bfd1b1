import type { ClientLike } from './client.ts'
import { createLoader, type Feedback } from './loader/loader.ts'
import type { FeedbackOptions, StandaloneOptions } from './options.ts'

export type { ClientLike } from './client.ts'
export type { Form } from './dialog/form.ts'
export type { Actor, Feedback } from './loader/loader.ts'
export type * from './options.ts'

/** The widget as an integration of an existing client: `@sentry/browser` 8–11, or `@firsthand/browser`. */
export interface FeedbackIntegration extends Feedback {
  readonly name: 'Feedback'
  setupOnce(): void
  setup(client: ClientLike): void
  afterAllSetup(client: ClientLike): void
}

/** Takes the options of `feedbackIntegration` of `@sentry/browser` unchanged. The trigger appears once the client is set up. */
export const feedbackIntegration = (options: FeedbackOptions = {}): FeedbackIntegration => {
  let client: ClientLike | undefined
  const { start, ...feedback } = createLoader(options, () => client)
  return {
    ...feedback,
    name: 'Feedback',
    setupOnce: () => undefined,
    setup: (given) => {
      client = given
    },
    // Outside a browser (rendering on a server) there is nothing to show.
    afterAllSetup: () => {
      if (typeof document !== 'undefined') start()
    },
  }
}

const standing = new Map<string, Feedback>()

/** The widget without any SDK. A second call for the same DSN and id answers with the widget that stands. */
export const createFeedback = (options: StandaloneOptions): Feedback => {
  const key = `${options.id} ${options.dsn}`
  const before = standing.get(key)
  if (before) return before
  // Read when a form is opened: the first file stays small.
  const client: ClientLike = { getOptions: () => options, getDsn: () => undefined }
  const { start, ...feedback } = createLoader(options, () => client)
  const { remove } = feedback
  feedback.remove = (how) => {
    standing.delete(key)
    return remove(how)
  }
  standing.set(key, feedback)
  start()
  return feedback
}
