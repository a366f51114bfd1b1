import type { Fields } from './fields.ts'
import type { PageNode } from './page-tree.ts'

/** What a browser lets have a shadow root, besides elements of a page's own making. */
const SHADOW_HOSTS = new Set(
  'article aside blockquote body div footer h1 h2 h3 h4 h5 h6 header main nav p section span'.split(' '),
)
export const CUSTOM_ELEMENT =
  /^(?!(?:annotation-xml|color-profile|font-face(?:-.*)?|missing-glyph)$)[a-z][a-z0-9._-]{0,80}-[a-z0-9._-]{0,80}$/
export const canHost = (tag: string, isSvg: boolean): boolean =>
  !isSvg && (SHADOW_HOSTS.has(tag) || CUSTOM_ELEMENT.test(tag))

/** An element may become a host after it was recorded: a mutation says so by the first node in its shadow. */
export const standsInShadow = (node: Fields, parent: PageNode, isAdded: boolean): boolean =>
  node['isShadow'] === true &&
  (parent.data['isShadowHost'] === true || (isAdded && canHost(parent.tag, parent.data['isSVG'] === true)))
