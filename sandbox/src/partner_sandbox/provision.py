"""The set-up file of a dashboard for a world of this sandbox: the `full` client's view of it."""

import json

from partner_sandbox.world.plans import blueprint, clients, pos_identity

RESTAURANT_FACTS = ("uuid", "name", "timezone", "currency", "country")


def provision_text(world: str, seed: int, origin: str, *, owner: int = 1) -> str:
    client = next(row for row in clients(seed) if row["name"] == "full")
    lines = [
        "[connection]",
        f'name = "Sandbox{f" {owner}" if owner > 1 else ""}"',
        f'base_url = "{origin}/api"',
        f'auth_url = "{origin}/auth"',
        f'audience = "{origin}/api"',
        f'client_id = "{client["client_id"]}"',
        f'client_secret = "{client["secret"]}"',
        "",
        "[pos]",
        f'base_url = "{origin}/pos"',
        *(f'{name} = "{value}"' for name, value in pos_identity(seed).items()),
        *_groups(world, seed, owner),
    ]
    return "\n".join(lines) + "\n"


def _groups(world: str, seed: int, owner: int) -> list[str]:
    plan = blueprint(world, seed, owner)
    lines = []
    for number, group in enumerate(plan.groups, 1):
        if group["owner"] != "full":
            continue
        lines += ["", "[[group]]", f'uuid = "{group["uuid"]}"', f"name = {_quoted(group['name'])}"]
        for restaurant in plan.restaurants:
            if restaurant.group_id == number:
                lines += ["", "  [[group.restaurant]]"]
                lines += [
                    f"  {name} = {_quoted(getattr(restaurant, name))}" for name in RESTAURANT_FACTS
                ]
    return lines


def _quoted(text: str) -> str:
    """A TOML basic string; JSON escapes are valid there."""
    return json.dumps(text, ensure_ascii=False)
