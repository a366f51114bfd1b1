import type { ChannelKindName } from '../channel.ts'
import type { ChannelKind } from './kind.ts'
import { webhook } from './webhook.ts'

type Called = Exclude<ChannelKindName, 'mail'>

/** Every kind that is called over HTTP. */
export const KINDS: { readonly [Kind in Called]: ChannelKind<Kind> } = { webhook }
