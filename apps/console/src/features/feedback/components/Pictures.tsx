import type { FeedbackDetail } from '@firsthand/contract'
import { useState } from 'react'

import { formatBytes } from '../../../lib/format.ts'
import { FileIcon, VisibleText } from '../../../ui/index.ts'
import { plainVisible } from '../../../lib/visible-text.ts'
import { fileAddress } from '../queries.ts'
import { PictureViewer } from './PictureViewer.tsx'
import styles from './Pictures.module.css'

type Attachment = FeedbackDetail['attachments'][number]

/** What came with a report: pictures to look at, other files to save. */
export function Pictures({ attachments }: { readonly attachments: readonly Attachment[] }) {
  const [broken, setBroken] = useState<ReadonlySet<string>>(new Set())
  const [shown, setShown] = useState<number | null>(null)
  if (attachments.length === 0) return null
  const pictures = attachments.filter((one) => one.isImage && !broken.has(one.id))
  const files = attachments.filter((one) => !pictures.includes(one))
  return (
    <>
      {pictures.length === 0 ? null : (
        <div className={styles.pictures} data-many={pictures.length > 1}>
          {pictures.map((picture, index) => (
            <button
              key={picture.id}
              type="button"
              className={styles.picture}
              aria-label={`Show ${plainVisible(picture.name)}`}
              onClick={() => setShown(index)}
            >
              {/* What is called a picture need not be one. */}
              <img
                src={fileAddress(picture.url)}
                alt=""
                decoding="async"
                onError={() => setBroken((now) => new Set([...now, picture.id]))}
              />
            </button>
          ))}
        </div>
      )}
      {files.length === 0 ? null : (
        <ul className={styles.files}>
          {files.map((file) => (
            <li key={file.id}>
              <FileIcon />
              <a href={fileAddress(file.url)} download={file.name}>
                <VisibleText text={file.name} />
              </a>
              <span className={styles.facts}>
                {file.mimetype}, {formatBytes(file.size)}
              </span>
            </li>
          ))}
        </ul>
      )}
      {shown === null ? null : (
        <PictureViewer
          pictures={pictures.map((picture) => ({
            name: picture.name,
            address: fileAddress(picture.url),
            size: picture.size,
          }))}
          first={shown}
          onClose={() => setShown(null)}
        />
      )}
    </>
  )
}
