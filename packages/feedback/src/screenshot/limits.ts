/** Limits of pictures (widget.md E 98). The server bounds attachments by itself; these keep the visitor's browser and upload small. */
export const LONGEST_SIDE_PX = 2560
export const MAXIMUM_UPLOAD_BYTES = 10 * 1024 * 1024
export const MAXIMUM_SENT_BYTES = 2 * 1024 * 1024
/** Read from the header before anything is decoded: 50 million pixels are 200 MB once decoded. */
export const MAXIMUM_DECODED_PX = 50_000_000
export const MAXIMUM_DECODED_SIDE_PX = 16_384
export const MAXIMUM_PICTURES = 5
/** Enough for the headers of every format, the EXIF block of a camera's JPEG included. */
export const SNIFFED_BYTES = 512 * 1024
export const QUALITIES = [0.85, 0.7, 0.5] as const
/** A capture that shows no frame within this time has failed (widget.md E 82). */
export const FIRST_FRAME_MS = 1000
/** One image or font of the page, while its picture is made. */
export const RESOURCE_MS = 2500
/** Faces of fonts that a picture of the page brings along. */
export const FONT_FACES = 24
