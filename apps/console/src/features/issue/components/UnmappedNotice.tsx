import type { ReactNode } from 'react'

import { CodeBlock } from '../../../ui/CodeBlock.tsx'
import { Notice } from '../../../ui/Notice.tsx'
import { VisibleText } from '../../../ui/VisibleText.tsx'
import type { UnmappedView } from '../model/unmapped.ts'
import styles from './UnmappedNotice.module.css'

/** What can be done about it. */
const ADVICE: Readonly<Record<UnmappedView['kind'], ReactNode>> = {
  maps: 'Upload the source maps of its build, as below or with @firsthand/vite, the plugin of Vite and Rollup; this event becomes readable, too:',
  mapping:
    'R8 or ProGuard renamed this code when it was built. Upload the mapping of that build; this event becomes readable, too:',
  native: 'Frames of native code are shown as addresses: this server does not resolve them yet.',
}

/** Why frames are minified, renamed or addresses, file by file, and what makes them readable. */
export function UnmappedNotice({ unmapped }: { readonly unmapped: UnmappedView }) {
  const { command, kind, reasons } = unmapped
  return (
    <div className={styles.notice}>
      <Notice>
        {reasons.length === 0 ? (
          'This code looks minified, and this project has no source maps. Upload those of its build, as below or with @firsthand/vite, the plugin of Vite and Rollup; this event becomes readable, too:'
        ) : (
          <>
            <ul className={styles.reasons}>
              {reasons.map(({ file, reason }) => (
                <li key={`${file} ${reason}`}>
                  <code>
                    <VisibleText text={file} />
                  </code>{' '}
                  <VisibleText text={reason} />
                </li>
              ))}
            </ul>
            {ADVICE[kind]}
          </>
        )}
      </Notice>
      {command === null ? null : <CodeBlock title="Where it is built" code={command} wrap />}
    </div>
  )
}
