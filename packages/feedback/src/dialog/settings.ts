import type { DialogHost } from '../loader/loader.ts'
import type { FeedbackOptions } from '../options.ts'
import { guarded } from '../send/announce.ts'
import { type AllTexts, catalogueOf } from '../text/catalogue.ts'

/** Texts under what the integrator replaced. */
export const replaced = <Some extends object>(given: Some, options: FeedbackOptions): Some => {
  const texts = { ...given } as Record<string, unknown>
  for (const name of Object.keys(texts)) {
    const own = (options as typeof texts)[name]
    if (typeof own === 'string') texts[name] = own
  }
  return texts as Some
}

export const textsOf = async (host: DialogHost, options: FeedbackOptions): Promise<AllTexts> =>
  replaced(await catalogueOf(host.language), options)

/** The widget's options under those of one call. Callbacks of both are called, those of the call first. */
export const mergeOptions = (general: FeedbackOptions, own: FeedbackOptions): FeedbackOptions => {
  const all: Record<string, unknown> = { ...general, ...own, tags: { ...general.tags, ...own.tags } }
  for (const name of Object.keys(all)) {
    if (!name.startsWith('on')) continue
    const calls = [own, general].flatMap((options) => (options as typeof all)[name] ?? []) as ((
      ...data: unknown[]
    ) => void)[]
    all[name] = (...data: unknown[]) => calls.forEach((call) => guarded(() => call(...data)))
  }
  return all
}
