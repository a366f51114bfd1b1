import type { ReactNode } from 'react'

import type { Icon } from '../../../ui/index.ts'
import type { Sign } from '../model/rows.ts'

/** Signs of this screen alone; those of the kit are loaded with every page. */
function drawn(children: ReactNode, filled = false): Icon {
  return function Drawn({ size = 16, className }) {
    return (
      <svg
        className={className}
        width={size}
        height={size}
        viewBox="0 0 16 16"
        fill={filled ? 'currentColor' : 'none'}
        stroke="currentColor"
        strokeWidth={1.5}
        strokeLinecap="round"
        strokeLinejoin="round"
        aria-hidden="true"
        focusable="false"
      >
        {children}
      </svg>
    )
  }
}

export const PlayIcon = drawn(<path d="M5 3.200v9.600l7.500-4.800z" />, true)
export const PauseIcon = drawn(<path d="M5.500 4v8M10.500 4v8" strokeWidth={2} />)
export const BackIcon = drawn(<path d="M6 3 3 6l3 3M3.200 6h6.300a3.300 3.300 0 0 1 0 6.600H6.500" />)
export const AgainIcon = drawn(<path d="M3.300 8a4.700 4.700 0 1 0 1.500-3.500M3.200 2.600v2.600h2.600" />)
export const FullScreenIcon = drawn(<path d="M6 2.800H2.800V6M10 2.800h3.200V6M6 13.200H2.800V10M10 13.200h3.200V10" />)
export const LinkIcon = drawn(
  <path d="M6.700 9.300a2.700 2.700 0 0 0 3.900 0l2.300-2.300a2.700 2.700 0 0 0-3.900-3.900l-.9.9M9.300 6.700a2.700 2.700 0 0 0-3.900 0L3.100 9a2.700 2.700 0 0 0 3.900 3.900l.9-.9" />,
)
export const ShareIcon = drawn(<path d="M8 9.500V2.400M5.300 5 8 2.300 10.700 5M5 7.500H3.500v6h9v-6H11" />)
export const FlaskIcon = drawn(
  <path d="M6 2.500h4M6.700 2.500v3.700l-3.300 6a1 1 0 0 0 .9 1.300h7.400a1 1 0 0 0 .9-1.300l-3.300-6V2.500M5 9.800h6" />,
)

const CLICK = (
  <path d="m7.500 7.500 6 2.200-2.600 1.100-1.100 2.600zM4.700 4.700 3.500 3.500M7.200 3.600V2M3.600 7.200H2M9.600 4.600l1-1.100M4.600 9.600l-1.100 1" />
)

const GLYPHS: Readonly<Record<Sign, Icon>> = {
  page: drawn(<path d="M3 8h10M9.500 4.500 13 8l-3.500 3.500" />),
  click: drawn(CLICK),
  dead: drawn(CLICK),
  rage: drawn(CLICK),
  request: drawn(
    <path d="M5 13V3.500M2.800 5.700 5 3.500l2.200 2.200M11 3v9.500M8.800 10.300l2.200 2.200 2.200-2.200" />,
  ),
  console: drawn(<path d="m3 4.500 3.500 3.500L3 11.500M8.500 11.500H13" />),
  vital: drawn(<path d="M2 8h2.700l2-4.500 2.800 9L11.300 8H14" />),
  input: drawn(<path d="M2 4.500h12v7H2zM4.500 9.500h7M4.500 7h.01M7 7h.01M9.500 7h.01M11.700 7h.01" />),
  key: drawn(<path d="M2 4.500h12v7H2zM4.500 9.500h7M4.500 7h.01M7 7h.01M9.500 7h.01M11.700 7h.01" />),
  error: drawn(<path d="M8 2.600 14 13H2zM8 6.600v3M8 11.300v.1" />),
  feedback: drawn(<path d="M2.500 3h11v7.800H7.500L4.800 13.300v-2.500H2.500z" />),
  idle: drawn(<path d="M3 4h4L3 9h4M9.500 8H13l-3.500 4.500H13" />),
  gap: drawn(<path d="M2 8h2.500M11.500 8H14M6.500 5l3 6M9.500 5l-3 6" />),
  note: drawn(<path d="M8 8h.01" strokeWidth={3} />),
}

export function SignGlyph({ sign, className }: { readonly sign: Sign; readonly className?: string | undefined }) {
  const Glyph = GLYPHS[sign]
  return <Glyph size={14} className={className} />
}
