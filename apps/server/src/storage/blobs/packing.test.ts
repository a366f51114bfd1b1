import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import { LIMITS as ARTIFACT_LIMITS } from '../../artifacts/limits.ts'
import { LIMITS as INGEST_LIMITS } from '../../ingest/limits.ts'
import { DamagedBlob } from '../../lib/store-fault.ts'
import { LIMITS } from '../limits.ts'
import { packBlob, unpackBlob } from './packing.ts'

it('a blob that is read whole may be as large as anything that is read so', async () => {
  expect(INGEST_LIMITS.ENVELOPE_BYTES).toBeLessThanOrEqual(LIMITS.BLOB_WHOLE_BYTES)
  expect(ARTIFACT_LIMITS.PREPARED_MAP_BYTES).toBeLessThanOrEqual(LIMITS.BLOB_WHOLE_BYTES)
  // Beside its text a prepared mapping has twenty bytes for each class, and some for each block.
  const prepared = ARTIFACT_LIMITS.PROGUARD_MAPPING_BYTES * 1.01 + ARTIFACT_LIMITS.PROGUARD_CLASSES * 20
  expect(prepared).toBeLessThanOrEqual(LIMITS.BLOB_WHOLE_BYTES)

  const largest = Buffer.alloc(LIMITS.BLOB_WHOLE_BYTES)
  const hash = createHash('sha256').update(largest).digest('hex')
  const packed = Buffer.from(await packBlob(largest))
  expect(packed.byteLength).toBeLessThan(largest.byteLength / 100)
  expect((await unpackBlob(packed, hash, 'here')).byteLength).toBe(LIMITS.BLOB_WHOLE_BYTES)

  // What says that it is larger is not unpacked to see.
  packed.writeBigUInt64LE(BigInt(LIMITS.BLOB_WHOLE_BYTES + 1), 12)
  await expect(unpackBlob(packed, hash, 'here')).rejects.toThrow(DamagedBlob)
})
