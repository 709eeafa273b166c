# SPDX-License-Identifier: GPL-3.0-or-later
"""A model server that goes wrong in every way that a test asks for."""
