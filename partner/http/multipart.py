"""One file as multipart/form-data: the only body of either API that is not JSON or a form."""

from dataclasses import replace
from urllib.parse import quote

from urllib3.filepost import encode_multipart_formdata

from partner.http.protocol import Request


def with_file(request: Request, *, field: str, file_name: str, data: bytes) -> Request:
    body, content_type = encode_multipart_formdata({field: (quote(file_name), data, "image/png")})
    return replace(request, body=body, content_type=content_type)
