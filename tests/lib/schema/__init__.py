# SPDX-License-Identifier: GPL-3.0-or-later
"""A model server that writes random answers that fit the schema it is sent."""
