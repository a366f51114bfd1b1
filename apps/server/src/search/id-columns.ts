/**
 * Ids in SQL: hex digits for all who read them, a UUID (32 digits) or a UInt64 (16) in a column. Where a row has none, the
 * column is zero and the text empty.
 */

export const NO_UUID = "toUUID('00000000-0000-0000-0000-000000000000')"

/** Of a column in which every row has one. */
export const hexOfUuid = (sql: string): string => `replaceAll(toString(${sql}), '-', '')`

export const hexOfUuidOrNone = (sql: string): string => `if(${sql} = ${NO_UUID}, '', ${hexOfUuid(sql)})`

/** Of a column in which every row has one. */
export const hexOfNumber = (sql: string): string => `lower(leftPad(hex(${sql}), 16, '0'))`

export const hexOfNumberOrNone = (sql: string): string => `if(${sql} = 0, '', ${hexOfNumber(sql)})`

export const numberOfHex = (sql: string): string => `reinterpretAsUInt64(reverse(unhex(${sql})))`
