import type { Generated } from 'kysely'
import type { Instant, JsonText } from '../../storage/ledger/schema.ts'
import type { ArtifactKind } from '../bundle/manifest.ts'

/** A piece of an upload. Others of the organisation that have the same bytes need not send it again. */
export interface ArtifactChunkTable {
  organization_id: number
  /** SHA-1, hex. */
  checksum: string
  blob_key: string
  bytes: number
  used_at: Instant
}

/** Its files are there and used when it is `ok`, and not before. */
export type BundleState = 'assembling' | 'ok' | 'error'

/** Files that came together, for the same release. */
export interface ArtifactBundleTable {
  id: Generated<number>
  organization_id: number
  /** SHA-1 of the uploaded archive. */
  checksum: string
  /** '' for none. */
  release_version: string
  dist: string
  state: BundleState
  /** What is wrong with it, in words for whoever uploaded it. */
  error: string | null
  /** Checksums of its pieces, in order; none once it has its files. */
  chunks: JsonText
  /** Of all its files. */
  bytes: number
  files: number
  /** What its maps take when they are prepared; as much as they have themselves until that is known. */
  prepared_bytes: Generated<number>
  /** How often it was begun. */
  attempts: number
  uploaded_at: Instant
  ended_at: Instant | null
  /** 1 for one that was fetched from a site of its project. */
  from_site: Generated<number>
}

export interface ArtifactBundleProjectTable {
  bundle_id: number
  project_id: number
}

/** One file of a bundle. */
export interface ArtifactFileTable {
  id: Generated<number>
  organization_id: number
  bundle_id: number
  kind: ArtifactKind
  /** As it was called by whoever uploaded it. */
  type: string
  /** `~/static/app.js`, or an address with its host. */
  url: string
  /** Lower-case hex without hyphens. */
  debug_id: string | null
  /** Where its map is, as its header says or its last line. */
  source_map: string | null
  headers: JsonText
  blob_key: string
  bytes: number
  sha1: string
  /** Blob of what a source map was made into for looking things up. */
  prepared_key: string | null
  /** In which form; null while nobody has tried. */
  prepared_form: number | null
  /** Of that blob; of a map that waits, its own. */
  prepared_bytes: Generated<number>
  /** Tries that came to nothing, of a map that waits. */
  prepare_attempts: Generated<number>
  /** Why a source map cannot be used, for people. */
  map_error: string | null
}

/** What a debug file is, as it says itself. */
export type DebugFileKind = 'elf' | 'macho' | 'pe' | 'pdb' | 'portablepdb' | 'breakpad' | 'proguard' | 'sourcebundle'

/** A file by which frames of native code or of the JVM can be read. It is there and used when it is `ok`, and not before. */
export interface DebugFileTable {
  id: Generated<number>
  organization_id: number
  project_id: number
  /** SHA-1 of the file. */
  checksum: string
  /** The id that whoever uploaded it says it has, for a kind that carries none; '' for none. */
  said_id: string
  /** As it was called by whoever uploaded it. */
  name: string
  state: BundleState
  /** What is wrong with it, in words for whoever uploaded it. */
  error: string | null
  /** Checksums of its pieces, in order; none once it is whole. */
  chunks: JsonText
  /** How often it was begun. */
  attempts: number
  kind: DebugFileKind | null
  /** `exe`, `lib`, `dbg`, …: what it is of a program. */
  symbol_type: string | null
  architecture: string | null
  /** Lower-case hex without hyphens. */
  debug_id: string | null
  /** The other id that some kinds have: the build id, or a time and a size. */
  code_id: string | null
  /** What it can tell. */
  features: JsonText
  blob_key: string | null
  bytes: number
  /** Blob of what a mapping is looked up by. */
  index_key: string | null
  index_bytes: number
  uploaded_at: Instant
  ended_at: Instant | null
}

/** Whether the sites of a project are asked for source maps. */
export interface SiteMapSettingsTable {
  project_id: number
  is_on: number
  hosts: JsonText
}

export type SiteFileState = 'waiting' | 'kept' | 'failed'

/** A file of a site whose source map is to be fetched there, or was lately. */
export interface SiteFileTable {
  id: Generated<number>
  organization_id: number
  project_id: number
  /** Made of what follows. */
  file_key: string
  /** '' for none. */
  release_version: string
  dist: string
  address: string
  debug_id: string | null
  state: SiteFileState
  /** Why there is none. */
  failure: string | null
  /** From when it may be asked for again. */
  due_at: Instant
}

declare module '../../storage/ledger/schema.ts' {
  interface LedgerSchema {
    site_map_settings: SiteMapSettingsTable
    site_files: SiteFileTable
    artifact_chunks: ArtifactChunkTable
    artifact_bundles: ArtifactBundleTable
    artifact_bundle_projects: ArtifactBundleProjectTable
    artifact_files: ArtifactFileTable
    debug_files: DebugFileTable
  }
}

declare module '../../facts/fact.ts' {
  interface FactKinds {
    /** Files that can be used from now on. */
    artifacts_uploaded: {
      readonly bundleId: number
      readonly release: string | null
      readonly dist: string | null
      readonly files: number
      readonly debugIds: number
    }
    /** Obfuscated frames can be read by it from now on. */
    mapping_uploaded: { readonly debugFileId: number; readonly debugId: string }
  }
}
