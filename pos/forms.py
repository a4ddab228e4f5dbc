"""Form of a logo, which is checked by its bytes before it is stored or sent."""

import io
from pathlib import PurePath
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.core.files.uploadedfile import UploadedFile
from django.utils.translation import gettext_lazy as _
from PIL import Image

from partner.errors import InvalidRequest
from partner.payloads import logos
from pos.models import Logo


class LogoForm(forms.Form):
    key = forms.UUIDField(widget=forms.HiddenInput)
    logo = forms.FileField(
        label=_("Picture"),
        widget=forms.FileInput(attrs={"accept": "image/png,.png"}),
        error_messages={"required": _("Choose a picture first."), "empty": _("The file is empty.")},
    )

    def clean_logo(self) -> bytes:
        """Return the clean picture. What the file calls itself only ever speaks against it."""
        file: UploadedFile[Any] = self.cleaned_data["logo"]
        # Checked before reading: what is too large need not come into memory.
        if file.size is None or file.size > logos.BYTES_CAP:
            raise ValidationError(_("The file is larger than 100 KB."))
        ending = PurePath(file.name or "").suffix.lower()
        if ending not in ("", ".png"):
            raise ValidationError(_("The file calls itself %(ending)s; a logo is a .png file."),
                                  params={"ending": ending[:12]})  # fmt: skip
        try:
            return logos.check_logo(file.read())
        except InvalidRequest as refused:
            raise ValidationError(refused.sentence) from None

    def as_logo(self, **facts: Any) -> Logo:
        return picture(self.cleaned_data["logo"], key=self.cleaned_data["key"], **facts)


def picture(png: bytes, **facts: Any) -> Logo:
    """An unsaved row for a checked picture."""
    with Image.open(io.BytesIO(png), formats=["PNG"]) as image:
        width, height = image.size
    return Logo(png=png, width=width, height=height, size=len(png), **facts)
