"""One table of files, checked by the form."""

import tracemalloc
from dataclasses import replace
from uuid import uuid4

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils.datastructures import MultiValueDict

from partner.payloads.logos import check_logo
from pos.forms import LogoForm
from pos.testing import FILES, bomb, chunk, packed, png, text_bomb


def submit(file):
    upload = SimpleUploadedFile(file.name, file.data, content_type="image/png")
    return LogoForm({"key": str(uuid4())}, MultiValueDict({"logo": [upload]}))


@pytest.mark.parametrize("file", FILES.values(), ids=FILES)
def test_it_works(file):
    form = submit(file)

    assert form.is_valid() == file.is_taken
    assert bool(form.errors.get("logo")) != file.is_taken


def test_each_refusal_has_its_own_reason():
    errors = {name: str(submit(file).errors.get("logo", "")) for name, file in FILES.items()}

    assert "narrower than 300" in errors["299 wide"]
    assert "larger than 100 KB" in errors["100 KB and a byte"]
    assert "not a PNG" in errors["JPEG called .png"]
    assert "hidden behind" in errors["script behind it"]
    assert "calls itself .jpg" in errors["PNG called .jpg"]
    assert "animated" in errors["animated"]
    assert "2000 pixels" in errors["bomb of pixels"]
    assert "damaged" in errors["cut in the middle"]


def test_what_is_sent_holds_no_words():
    plain = png()
    secret = plain[:-12] + chunk(b"tEXt", b"Comment\0taken at home") + plain[-12:]

    assert b"taken at home" not in check_logo(secret)


def test_a_well_packed_picture_stays_within_the_limit():
    assert len(check_logo(packed(100 * 1024))) <= 100 * 1024


@pytest.mark.parametrize("make", [bomb, text_bomb], ids=["pixels", "text"])
def test_a_bomb_takes_no_memory(make):
    data = make()
    tracemalloc.start()
    with pytest.raises(Exception, match="invalid"):
        check_logo(data)
    _now, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert peak < 20_000_000


def test_a_name_of_three_hundred_letters_is_no_fault():
    file = replace(FILES["300 wide"], name="x" * 300 + ".png")

    assert submit(file).is_valid() in (True, False)
