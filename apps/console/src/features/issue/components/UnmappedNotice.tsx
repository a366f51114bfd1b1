import { CodeBlock } from '../../../ui/CodeBlock.tsx'
import { Notice } from '../../../ui/Notice.tsx'
import { VisibleText } from '../../../ui/VisibleText.tsx'
import type { UnmappedView } from '../model/unmapped.ts'
import styles from './UnmappedNotice.module.css'

/** Why frames are minified, file by file, and what makes them readable. */
export function UnmappedNotice({ unmapped }: { readonly unmapped: UnmappedView }) {
  const { command, reasons } = unmapped
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
            Upload the source maps of its build, as below or with @firsthand/vite, the plugin of Vite and Rollup; this
            event becomes readable, too:
          </>
        )}
      </Notice>
      <CodeBlock title="Where the build is" code={command} wrap />
    </div>
  )
}
